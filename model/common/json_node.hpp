// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "model/common/error.hpp"

namespace nibblecore {

/// Names separated by commas, for a message.
std::string joined(const std::vector<std::string_view>& names);

/// A value of a JSON document and the way to it from the top. Every reading function throws an
/// InputError, naming the place of the document, the field and the reason, where the value is not
/// what it reads. Document and place outlive the node.
class JsonNode {
 public:
  JsonNode(const boost::json::value& value, const std::string& place, std::string path = {})
      : value_(value), place_(place), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& reason) const;
  /// The place of an InputError about this.
  std::string where() const;

  /// This is an object of exactly these keys, of which the optional ones may be missing.
  void require_keys(const std::vector<std::string_view>& keys,
                    const std::vector<std::string_view>& optional_keys = {}) const;
  /// The member of this object; require_keys has made sure that it is there.
  JsonNode operator[](std::string_view key) const;
  /// The member of this object, where it has it.
  std::optional<JsonNode> find(std::string_view key) const;
  /// The members of this object with their keys, in order.
  std::vector<std::pair<std::string, JsonNode>> members() const;
  /// The items of this list.
  std::vector<JsonNode> items() const;

  /// What `read` returns; an InputError of a function that knows no document becomes one of this
  /// field.
  template <typename Read>
  auto within(const Read& read) const {
    try {
      return read();
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  bool is_text() const { return value_.is_string(); }
  bool is_null() const { return value_.is_null(); }
  /// The value itself, to keep.
  const boost::json::value& value() const { return value_; }
  bool boolean() const;
  /// A line of printable text, not empty.
  std::string text() const;
  /// A text of letters, digits, '.', '_' and '-'.
  std::string name() const;
  std::vector<std::string> texts() const;
  int64_t integer() const;
  /// An integer of that range.
  int64_t integer(int64_t least, int64_t most) const;
  /// A finite number, written as an integer or with a fraction.
  double number() const;
  /// A number rounded to FP32, finite there too.
  float single_number() const;

  /// The record of this name; a record has a member `name`.
  template <typename Records>
  const auto& choice(const Records& records) const {
    const std::string wanted = is_text() ? std::string(value_.get_string()) : std::string();
    const auto found = std::find_if(records.begin(), records.end(),
                                    [&](const auto& record) { return record.name == wanted; });
    if (found == records.end()) {
      std::vector<std::string_view> names;
      names.reserve(records.size());
      for (const auto& record : records) {
        names.push_back(record.name);
      }
      fail_choice(names);
    }
    return *found;
  }

 private:
  [[noreturn]] void fail_choice(const std::vector<std::string_view>& names) const;
  [[noreturn]] void fail_type(const std::string& wanted) const;
  std::string path_to(std::string_view key) const;

  const boost::json::value& value_;
  const std::string& place_;
  std::string path_;
};

}  // namespace nibblecore
