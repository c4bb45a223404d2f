// SPDX-License-Identifier: Apache-2.0
#include "model/common/json_node.hpp"

#include <cmath>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

// Texts are printed: a terminal must not take them for commands.
bool is_printable(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char character) {
    const auto byte = static_cast<unsigned char>(character);
    return byte < 0x20 || byte == 0x7F;
  });
}

bool is_name(std::string_view text) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return text.find_first_not_of(kAllowed) == std::string_view::npos;
}

bool contains(const std::vector<std::string_view>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

std::string joined(const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) {
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  return list;
}

std::string JsonNode::where() const {
  return path_.empty() ? place_ : place_ + ", field " + in_quotes(path_);
}

void JsonNode::fail(const std::string& reason) const { throw InputError(where(), reason); }

void JsonNode::fail_type(const std::string& wanted) const {
  fail("is " + shown(value_) + ", not " + wanted);
}

void JsonNode::fail_choice(const std::vector<std::string_view>& names) const {
  fail_type("one of " + joined(names));
}

std::string JsonNode::path_to(std::string_view key) const {
  return (path_.empty() ? "" : path_ + ".") + std::string(key);
}

void JsonNode::require_keys(const std::vector<std::string_view>& keys,
                            const std::vector<std::string_view>& optional_keys) const {
  const json::object* const object = value_.if_object();
  if (object == nullptr) {
    fail_type("an object");
  }
  std::vector<std::string_view> known = keys;
  known.insert(known.end(), optional_keys.begin(), optional_keys.end());
  for (const json::key_value_pair& member : *object) {
    if (!contains(known, member.key())) {
      JsonNode(member.value(), place_, path_to(member.key()))
          .fail("is unknown (known: " + joined(known) + ")");
    }
  }
  for (const std::string_view key : keys) {
    if (!object->contains(key)) {
      JsonNode(value_, place_, path_to(key)).fail("is missing");
    }
  }
}

JsonNode JsonNode::operator[](std::string_view key) const {
  return {value_.get_object().at(key), place_, path_to(key)};
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
  const json::object* const object = value_.if_object();
  if (object == nullptr) {
    fail_type("an object");
  }
  const json::value* const member = object->if_contains(key);
  if (member == nullptr) {
    return std::nullopt;
  }
  return JsonNode(*member, place_, path_to(key));
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const {
  const json::object* const object = value_.if_object();
  if (object == nullptr) {
    fail_type("an object");
  }
  std::vector<std::pair<std::string, JsonNode>> members;
  for (const json::key_value_pair& member : *object) {
    members.emplace_back(std::string(member.key()),
                         JsonNode(member.value(), place_, path_to(member.key())));
  }
  return members;
}

std::vector<JsonNode> JsonNode::items() const {
  const json::array* const list = value_.if_array();
  if (list == nullptr) {
    fail_type("a list");
  }
  std::vector<JsonNode> items;
  for (const json::value& item : *list) {
    items.emplace_back(item, place_, path_ + "[" + std::to_string(items.size()) + "]");
  }
  return items;
}

bool JsonNode::boolean() const {
  const bool* const boolean = value_.if_bool();
  if (boolean == nullptr) {
    fail_type("true or false");
  }
  return *boolean;
}

std::string JsonNode::text() const {
  const json::string* const text = value_.if_string();
  if (text == nullptr || text->empty() || !is_printable(*text)) {
    fail_type("a line of text");
  }
  return std::string(*text);
}

std::string JsonNode::name() const {
  std::string name = text();
  if (!is_name(name)) {
    fail_type("a name of letters, digits, '.', '_' and '-'");
  }
  return name;
}

std::vector<std::string> JsonNode::texts() const {
  if (!value_.is_array()) {
    fail_type("a list of texts");
  }
  std::vector<std::string> texts;
  for (const JsonNode& item : items()) {
    texts.push_back(item.text());
  }
  return texts;
}

int64_t JsonNode::integer() const {
  const std::optional<int64_t> integer = json_integer(value_);
  if (!integer) {
    fail_type("a 64-bit integer");
  }
  return *integer;
}

int64_t JsonNode::integer(int64_t least, int64_t most) const {
  const int64_t value = integer();
  if (value < least || value > most) {
    fail("is " + std::to_string(value) + ", outside " + std::to_string(least) + " to " +
         std::to_string(most));
  }
  return value;
}

double JsonNode::number() const {
  if (!value_.is_number()) {
    fail_type("a number");
  }
  const auto value = value_.to_number<double>();
  if (!std::isfinite(value)) {
    fail_type("a finite number");
  }
  return value;
}

float JsonNode::single_number() const {
  const auto value = static_cast<float>(number());
  if (!std::isfinite(value)) {
    fail_type("a finite FP32 number");
  }
  return value;
}

}  // namespace nibblecore
