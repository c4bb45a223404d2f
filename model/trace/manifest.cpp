// SPDX-License-Identifier: Apache-2.0
#include "model/trace/manifest.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "model/trace/mapped_file.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

// Typed access to the fields of one line.
class Fields {
 public:
  Fields(const json::value& line, const std::string& place) : place_(place) {
    fields_ = line.if_object();
    if (fields_ == nullptr) {
      throw InputError(place_, "is " + shown(line) + ", not an object");
    }
  }

  bool has(std::string_view name) const { return fields_->contains(name); }

  [[noreturn]] void fail(std::string_view name, const std::string& reason) const {
    throw InputError(place_ + ", field \"" + std::string(name) + "\"", reason);
  }

  int64_t integer(std::string_view name, int64_t smallest, const char* meaning) const {
    const json::value& value = required(name);
    const std::optional<int64_t> integer = json_integer(value);
    if (!integer || *integer < smallest) {
      fail(name, "is " + shown(value) + ", not a " + meaning + "64-bit integer");
    }
    return *integer;
  }

  int64_t positive(std::string_view name) const { return integer(name, 1, "positive "); }

  int64_t positive_or_one(std::string_view name) const { return has(name) ? positive(name) : 1; }

  std::optional<int64_t> ordinal(std::string_view name) const {
    return has(name) ? std::optional(integer(name, 0, "non-negative ")) : std::nullopt;
  }

  std::string text(std::string_view name) const {
    const json::value& value = required(name);
    const json::string* const text = value.if_string();
    if (text == nullptr || text->empty()) {
      fail(name, "is " + shown(value) + ", not a string of some length");
    }
    if (text->size() > kLongestName) {
      fail(name, "is longer than " + std::to_string(kLongestName) + " bytes");
    }
    return std::string(*text);
  }

  GemmKind kind(std::string_view name) const {
    const std::string text_value = text(name);
    const std::optional<GemmKind> kind = find_gemm_kind(text_value);
    if (!kind) {
      fail(name, "is " + in_quotes(text_value) + ", not fprop, dgrad or wgrad");
    }
    return *kind;
  }

  bool flag(std::string_view name) const {
    const json::value& value = required(name);
    if (!value.is_bool()) {
      fail(name, "is " + shown(value) + ", not true or false");
    }
    return value.get_bool();
  }

  Transpose transpose(std::string_view name) const {
    const json::value& value = required(name);
    const std::optional<int64_t> integer = json_integer(value);
    if (integer != 0 && integer != 1) {
      fail(name, "is " + shown(value) + ", not 0 or 1");
    }
    return *integer == 1 ? Transpose::kYes : Transpose::kNo;
  }

  std::optional<TensorRef> tensor(std::string_view name) const {
    if (!has(name)) {
      return std::nullopt;
    }
    const json::value& value = required(name);
    const json::array* const pair = value.if_array();
    if (pair == nullptr || pair->size() != 2 || !pair->front().is_string() ||
        !pair->back().is_string()) {
      fail(name, "is " + shown(value) + ", not [file, tensor]");
    }
    const std::string file(pair->front().get_string());
    check_inside(name, file);
    return TensorRef{file, std::string(pair->back().get_string())};
  }

 private:
  const json::value& required(std::string_view name) const {
    const json::value* const value = fields_->if_contains(name);
    if (value == nullptr) {
      fail(name, "is missing");
    }
    return *value;
  }

  // A trace may come from others: its manifest must not reach files outside its folder.
  void check_inside(std::string_view name, const std::string& file) const {
    const std::filesystem::path path(file);
    const bool leaves = path.is_absolute() || std::find(path.begin(), path.end(),
                                                        std::filesystem::path("..")) != path.end();
    if (leaves) {
      fail(name, "file " + in_quotes(file) + " is outside the trace folder");
    }
    if (file.empty() || file.find('\0') != std::string::npos) {
      fail(name, "file " + in_quotes(file) + " is not a file name");
    }
  }

  const json::object* fields_ = nullptr;
  const std::string& place_;
};

GemmRecord read_record(const Fields& fields, const std::string& place, int64_t line) {
  GemmRecord record;
  record.line = line;
  record.id = fields.integer("id", std::numeric_limits<int64_t>::min(), "");
  record.phase = fields.text("phase");
  record.layer = fields.text("layer");
  record.kind = fields.kind("gemm");
  record.m = fields.positive("M");
  record.n = fields.positive("N");
  record.k = fields.positive("K");
  record.a = fields.tensor("a");
  record.b = fields.tensor("b");
  record.out = fields.tensor("out");
  if (record.a.has_value() != record.b.has_value()) {
    const char* const missing = record.a ? "b" : "a";
    fields.fail(missing, "is missing: operands come in pairs");
  }
  std::tie(record.transpose_a, record.transpose_b) = usual_transposes(record.kind);
  if (record.has_operands() || fields.has("ta")) {
    record.transpose_a = fields.transpose("ta");
  }
  if (record.has_operands() || fields.has("tb")) {
    record.transpose_b = fields.transpose("tb");
  }
  record.quantize = fields.flag("quantize");
  record.step = fields.ordinal("step");
  record.rank = fields.ordinal("rank");
  record.expert = fields.ordinal("expert");
  record.count = fields.positive_or_one("count");
  record.batch = fields.positive_or_one("batch");
  int64_t macs = record.m;
  for (const int64_t factor : {record.n, record.k, record.batch, record.count}) {
    macs = checked_multiply(macs, factor, place + ", M * N * K * batch * count");
  }
  return record;
}

}  // namespace

std::vector<GemmRecord> parse_manifest(std::string_view text, const std::string& file) {
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  if (text.empty()) {
    throw InputError(file, "holds no GEMM");
  }
  std::vector<GemmRecord> records;
  std::unordered_map<int64_t, int64_t> line_of_id;
  int64_t line = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    ++line;
    const std::string place = file + ":" + std::to_string(line);
    const json::value value = parse_strict_json(text.substr(begin, end - begin), place, 0);
    const Fields fields(value, place);
    records.push_back(read_record(fields, place, line));
    const auto [first, is_new] = line_of_id.emplace(records.back().id, line);
    if (!is_new) {
      fields.fail("id", std::to_string(first->first) + " was already used in line " +
                            std::to_string(first->second));
    }
    begin = end + 1;
  }
  return records;
}

std::vector<GemmRecord> read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kManifestName;
  const MappedFile file(path);
  return parse_manifest(file.text(0, file.size()), path.string());
}

}  // namespace nibblecore
