// SPDX-License-Identifier: Apache-2.0
#include "model/common/strict_json.hpp"

#include <cmath>
#include <cstddef>
#include <unordered_set>
#include <utility>
#include <vector>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_stack.hpp>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

// Builds the value as Boost's own handler does, and keeps the keys of every open object.
class StrictHandler {
 public:
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();

  StrictHandler() { stack_.reset(); }

  const std::optional<std::string>& duplicate() const { return duplicate_; }
  json::value release() { return stack_.release(); }

  bool on_document_begin(json::error_code& /*error*/) { return true; }
  bool on_document_end(json::error_code& /*error*/) { return true; }

  bool on_object_begin(json::error_code& /*error*/) {
    keys_.emplace_back();
    return true;
  }
  bool on_object_end(std::size_t count, json::error_code& /*error*/) {
    keys_.pop_back();
    stack_.push_object(count);
    return true;
  }
  bool on_array_begin(json::error_code& /*error*/) { return true; }
  bool on_array_end(std::size_t count, json::error_code& /*error*/) {
    stack_.push_array(count);
    return true;
  }

  bool on_key_part(json::string_view part, std::size_t /*size*/, json::error_code& /*error*/) {
    key_.append(part.data(), part.size());
    stack_.push_chars(part);
    return true;
  }
  bool on_key(json::string_view part, std::size_t /*size*/, json::error_code& error) {
    key_.append(part.data(), part.size());
    stack_.push_key(part);
    const auto [position, is_new] = keys_.back().insert(std::exchange(key_, {}));
    if (!is_new) {
      duplicate_ = *position;
      error = json::error::syntax;
    }
    return is_new;
  }

  bool on_string_part(json::string_view part, std::size_t /*size*/, json::error_code& /*error*/) {
    stack_.push_chars(part);
    return true;
  }
  bool on_string(json::string_view part, std::size_t /*size*/, json::error_code& /*error*/) {
    stack_.push_string(part);
    return true;
  }
  bool on_number_part(json::string_view /*part*/, json::error_code& /*error*/) { return true; }
  bool on_int64(int64_t value, json::string_view /*text*/, json::error_code& /*error*/) {
    stack_.push_int64(value);
    return true;
  }
  bool on_uint64(uint64_t value, json::string_view /*text*/, json::error_code& /*error*/) {
    stack_.push_uint64(value);
    return true;
  }
  bool on_double(double value, json::string_view /*text*/, json::error_code& error) {
    // What is too large for FP64 comes as infinity, which JSON can't be written with again.
    if (!std::isfinite(value)) {
      error = json::error::exponent_overflow;
      return false;
    }
    stack_.push_double(value);
    return true;
  }
  bool on_bool(bool value, json::error_code& /*error*/) {
    stack_.push_bool(value);
    return true;
  }
  bool on_null(json::error_code& /*error*/) {
    stack_.push_null();
    return true;
  }
  bool on_comment_part(json::string_view /*part*/, json::error_code& /*error*/) { return true; }
  bool on_comment(json::string_view /*part*/, json::error_code& /*error*/) { return true; }

 private:
  json::value_stack stack_;
  std::vector<std::unordered_set<std::string>> keys_;
  std::string key_;
  std::optional<std::string> duplicate_;
};

constexpr size_t kShownLength = 100;

// Never between the bytes of one UTF-8 character.
std::string_view cut(std::string_view text) {
  size_t length = kShownLength;
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) {
    --length;
  }
  return text.substr(0, length);
}

}  // namespace

json::value parse_strict_json(std::string_view text, const std::string& file, int64_t base_offset) {
  json::parse_options options;
  options.max_depth = kJsonDepth;
  json::basic_parser<StrictHandler> parser(options);
  json::error_code error;
  const size_t read = parser.write_some(false, text.data(), text.size(), error);
  const std::string place =
      file + ", offset " + std::to_string(base_offset + static_cast<int64_t>(read));
  if (parser.handler().duplicate()) {
    throw InputError(place, "duplicate key " + in_quotes(*parser.handler().duplicate()));
  }
  if (error) {
    throw InputError(place, "not valid JSON: " + error.message());
  }
  if (read != text.size()) {
    throw InputError(place, "not valid JSON: text follows the document");
  }
  return parser.handler().release();
}

std::optional<int64_t> json_integer(const json::value& value) {
  const int64_t* const integer = value.if_int64();
  return integer != nullptr ? std::optional<int64_t>(*integer) : std::nullopt;
}

std::string in_quotes(std::string_view text) {
  if (text.size() > kShownLength) {
    return json::serialize(json::value(cut(text))) + "...";
  }
  return json::serialize(json::value(text));
}

std::string shown(const json::value& value) {
  const std::string text = json::serialize(value);
  return text.size() > kShownLength ? std::string(cut(text)) + "..." : text;
}

}  // namespace nibblecore
