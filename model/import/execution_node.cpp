// SPDX-License-Identifier: Apache-2.0
#include "model/import/execution_node.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

constexpr int64_t kAnnotationScope = 7;

[[noreturn]] void fail(const std::string& place, std::string_view field,
                       const std::string& reason) {
  throw InputError(place + ", field " + in_quotes(field), reason);
}

int64_t required_integer(const json::object& node, std::string_view field,
                         const std::string& place) {
  const json::value* const value = node.if_contains(field);
  if (value == nullptr) {
    fail(place, field, "is missing");
  }
  const std::optional<int64_t> integer = json_integer(*value);
  if (!integer) {
    fail(place, field, "is " + shown(*value) + ", not a 64-bit integer");
  }
  return *integer;
}

void set_integer(const json::value* value, int64_t& target) {
  if (value != nullptr) {
    target = json_integer(*value).value_or(target);
  }
}

void set_detail(std::string_view field, const json::value* value, ExecutionDetails& details) {
  if (field == "scope") {
    int64_t scope = 0;
    set_integer(value, scope);
    details.annotation = scope == kAnnotationScope;
  } else if (field == "seq_id") {
    set_integer(value, details.sequence);
  } else if (field == "tid") {
    set_integer(value, details.thread);
  } else if (field == "fw_tid") {
    set_integer(value, details.forward_thread);
  }
}

void read_attributes(const json::array& attributes, ExecutionDetails& details) {
  for (const json::value& item : attributes) {
    const json::object* const attribute = item.if_object();
    const json::value* const name = attribute != nullptr ? attribute->if_contains("name") : nullptr;
    if (name != nullptr && name->is_string()) {
      set_detail(name->get_string(), attribute->if_contains("value"), details);
    }
  }
}

std::optional<TensorIdentity> identity(const json::array& values, size_t index) {
  const json::array* const tensor = index < values.size() ? values[index].if_array() : nullptr;
  if (tensor == nullptr || tensor->size() < 4) {
    return std::nullopt;
  }
  const std::optional<int64_t> storage = json_integer((*tensor)[1]);
  const std::optional<int64_t> offset = json_integer((*tensor)[2]);
  const std::optional<int64_t> elements = json_integer((*tensor)[3]);
  if (!storage || !offset || !elements) {
    return std::nullopt;
  }
  return TensorIdentity{*storage, *offset, *elements};
}

}  // namespace

ExecutionNode read_execution_node(const json::value& node, const std::string& place) {
  const json::object* const fields = node.if_object();
  if (fields == nullptr) {
    throw InputError(place, "is " + shown(node) + ", not a node");
  }
  const json::value* const name = fields->if_contains("name");
  if (name == nullptr || !name->is_string()) {
    fail(place, "name", name == nullptr ? "is missing" : "is " + shown(*name) + ", not a text");
  }
  ExecutionNode result;
  result.name = std::string_view(name->get_string().data(), name->get_string().size());
  result.id = required_integer(*fields, "id", place);
  result.parent = result.id;
  for (const char* const field : {"parent", "ctrl_deps"}) {
    if (fields->contains(field)) {
      result.parent = required_integer(*fields, field, place);
    }
  }
  return result;
}

ExecutionDetails read_execution_details(const json::value& node) {
  const json::object& fields = node.get_object();
  ExecutionDetails details;
  for (const char* const field : {"scope", "seq_id", "tid", "fw_tid"}) {
    set_detail(field, fields.if_contains(field), details);
  }
  const json::value* const attributes = fields.if_contains("attrs");
  if (attributes != nullptr && attributes->is_array()) {
    read_attributes(attributes->get_array(), details);
  }
  const json::value* const inputs = fields.if_contains("inputs");
  if (inputs != nullptr && inputs->is_object()) {
    details.values = inputs->get_object().if_contains("values");
    details.shapes = inputs->get_object().if_contains("shapes");
    details.strides = inputs->get_object().if_contains("strides");
  } else {
    details.values = inputs;
    details.shapes = fields.if_contains("input_shapes");
    details.strides = fields.if_contains("input_strides");
  }
  return details;
}

std::optional<std::array<TensorIdentity, 2>> operand_identities(const GemmOperator& gemm,
                                                                const json::value* values) {
  const json::array* const list = values != nullptr ? values->if_array() : nullptr;
  if (list == nullptr) {
    return std::nullopt;
  }
  const auto first = static_cast<size_t>(gemm.first);
  const std::optional<TensorIdentity> a = identity(*list, first);
  const std::optional<TensorIdentity> b = identity(*list, first + 1);
  return a && b ? std::optional(std::array<TensorIdentity, 2>{*a, *b}) : std::nullopt;
}

}  // namespace nibblecore
