// SPDX-License-Identifier: Apache-2.0
#include "model/import/execution_trace.hpp"

#include <string_view>
#include <utility>
#include <variant>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "model/import/byte_source.hpp"
#include "model/import/execution_node.hpp"
#include "model/import/execution_tree.hpp"
#include "model/import/json_elements.hpp"
#include "model/import/profile_records.hpp"
#include "model/import/profile_scopes.hpp"
#include "model/import/require_json.hpp"

namespace nibblecore {
namespace {

// Schemas differ beyond these in what nodes mean, or did not exist when this was written.
void require_schema(const boost::json::value& schema, const std::string& place) {
  const boost::json::string* const text = schema.if_string();
  const std::string_view version =
      text != nullptr ? std::string_view(text->data(), text->size()) : std::string_view();
  if (version.substr(0, 4) != "1.0." && version.substr(0, 4) != "1.1.") {
    throw InputError(place + ", field \"schema\"",
                     "is " + shown(schema) + ", not 1.0.x or 1.1.x of PyTorch's execution traces");
  }
}

class ExecutionReader {
 public:
  explicit ExecutionReader(std::string name) : name_(std::move(name)) {}

  void read(const boost::json::value& element, int64_t index) {
    const ExecutionNode node =
        read_execution_node(element, name_ + ", node " + std::to_string(index));
    NameClass name_class = classify_name(node.name);
    const bool may_mean = ProfileScopes::may_be_annotation(node.name);
    if (name_class == NameClass::kOther && !may_mean) {
      tree_.add(node.id, node.parent);
      return;
    }
    const ExecutionDetails details = read_execution_details(element);
    if (name_class == NameClass::kGemm) {
      tree_.add(node.id, node.parent);
      add_gemm(node, details);
      return;
    }
    Scope scope;
    scope.sequence = details.sequence;
    scope.forward_thread = details.forward_thread;
    if (name_class == NameClass::kOther && !details.annotation) {
      tree_.add(node.id, node.parent);
      return;
    }
    tree_.add(node.id, node.parent, scopes_.add(node.name, name_class, scope));
  }

  ReadProfile finish() {
    tree_.close(name_);
    for (const Leaf& leaf : leaves_) {
      const std::vector<uint32_t> marks = tree_.marks_above(leaf.node, name_);
      const Scopes around = scopes_.around(marks);
      if (leaf.taken) {
        read_scopes(around, profile_.gemms[leaf.gemm]);
      }
    }
    scopes_.count_callers(profile_.counts);
    return std::move(profile_);
  }

 private:
  struct Leaf {
    int64_t node;
    bool taken;
    size_t gemm;
  };

  void add_gemm(const ExecutionNode& node, const ExecutionDetails& details) {
    const GemmOperator& gemm_operator = *find_gemm_operator(node.name);
    const auto shape = gemm_shape(gemm_operator, details.shapes);
    if (const SkipReason* const reason = std::get_if<SkipReason>(&shape)) {
      profile_.counts.skip(*reason);
      leaves_.push_back({node.id, false, 0});
      return;
    }
    ProfiledGemm gemm;
    gemm.gemm = &gemm_operator;
    gemm.shape = std::get<GemmShape>(shape);
    gemm.storage = gemm_storage(gemm_operator, gemm.shape, details.strides);
    gemm.operands = operand_identities(gemm_operator, details.values);
    gemm.order = node.id;
    gemm.thread = details.thread;
    gemm.sequence = details.sequence;
    leaves_.push_back({node.id, true, profile_.gemms.size()});
    profile_.gemms.push_back(std::move(gemm));
  }

  std::string name_;
  ExecutionTree tree_;
  ProfileScopes scopes_;
  std::vector<Leaf> leaves_;
  ReadProfile profile_;
};

}  // namespace

ImportedTrace import_execution_trace(std::istream& file, const std::string& name,
                                     const ImportOptions& options) {
  ByteSource source(file, name);
  require_json(source);
  ExecutionReader reader(name);
  bool has_schema = false;
  JsonElements wanted;
  wanted.array = "nodes";
  wanted.on_element = [&](const boost::json::value& node, int64_t index) {
    reader.read(node, index);
  };
  wanted.members = {"schema", "schemaVersion"};
  wanted.on_member = [&](std::string_view key, const boost::json::value& value) {
    if (key == "schemaVersion") {
      throw InputError(name,
                       "has \"schemaVersion\": a Chrome trace, not an execution trace; "
                       "import it as kineto");
    }
    require_schema(value, name);
    has_schema = true;
  };
  if (!read_json_elements(source, wanted)) {
    throw InputError(name, "has no \"nodes\": not an execution trace");
  }
  if (!has_schema) {
    throw InputError(name, "has no \"schema\": not an execution trace");
  }
  return profile_records(reader.finish(), name, options);
}

}  // namespace nibblecore
