// SPDX-License-Identifier: Apache-2.0
#include "model/machine/machine_file.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/strict_json.hpp"
#include "model/machine/built_in_texts.hpp"
#include "model/machine/machine_field.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

// A machine file is a few kilobytes; whoever names a file of tensors by mistake waits for nothing.
constexpr std::uintmax_t kLargestFile = 1 << 20;

template <typename Records>
std::vector<std::string_view> names_of(const Records& records) {
  std::vector<std::string_view> names;
  names.reserve(records.size());
  for (const auto& record : records) {
    names.push_back(record.name);
  }
  return names;
}

std::string list_of(const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) {
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  return list;
}

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

// A value of the document and the way to it from the top.
class Node {
 public:
  Node(const json::value& value, const std::string& place, std::string path = {})
      : value_(value), place_(place), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(path_.empty() ? place_ : place_ + ", field " + in_quotes(path_), reason);
  }

  // The member of this object; require_keys has made sure that it is there.
  Node operator[](std::string_view key) const {
    return {value_.get_object().at(key), place_, path_to(key)};
  }

  // This is an object of exactly these keys.
  void require_keys(const std::vector<std::string_view>& keys) const {
    const json::object* const object = value_.if_object();
    if (object == nullptr) {
      fail("is " + shown(value_) + ", not an object");
    }
    for (const json::key_value_pair& member : *object) {
      if (std::find(keys.begin(), keys.end(), member.key()) == keys.end()) {
        Node(member.value(), place_, path_to(member.key()))
            .fail("is unknown (known: " + list_of(keys) + ")");
      }
    }
    for (const std::string_view key : keys) {
      if (!object->contains(key)) {
        Node(value_, place_, path_to(key)).fail("is missing");
      }
    }
  }

  std::string text() const {
    const json::string* const text = value_.if_string();
    if (text == nullptr || text->empty() || !is_printable(*text)) {
      fail("is " + shown(value_) + ", not a line of text");
    }
    return std::string(*text);
  }

  std::string name() const {
    std::string name = text();
    if (!is_name(name)) {
      fail("is " + shown(value_) + ", not a name of letters, digits, '.', '_' and '-'");
    }
    return name;
  }

  std::vector<std::string> texts() const {
    const json::array* const list = value_.if_array();
    if (list == nullptr) {
      fail("is " + shown(value_) + ", not a list of texts");
    }
    std::vector<std::string> texts;
    for (const json::value& item : *list) {
      texts.push_back(Node(item, place_, path_ + "[" + std::to_string(texts.size()) + "]").text());
    }
    return texts;
  }

  int64_t integer() const {
    const std::optional<int64_t> integer = json_integer(value_);
    if (!integer) {
      fail("is " + shown(value_) + ", not a 64-bit integer");
    }
    return *integer;
  }

  Confidence confidence() const {
    const json::string* const mark = value_.if_string();
    const auto* const found =
        mark == nullptr ? kConfidences.end()
                        : std::find_if(kConfidences.begin(), kConfidences.end(),
                                       [&](const auto& record) { return record.name == *mark; });
    if (found == kConfidences.end()) {
      fail("is " + shown(value_) + ", not one of " + list_of(names_of(kConfidences)));
    }
    return found->confidence;
  }

 private:
  std::string path_to(std::string_view key) const {
    return (path_.empty() ? "" : path_ + ".") + std::string(key);
  }

  const json::value& value_;
  const std::string& place_;
  std::string path_;
};

std::vector<MachineFile> parse_built_in_texts() {
  std::vector<MachineFile> machines;
  for (const BuiltInText& file : built_in_texts()) {
    machines.push_back(parse_machine(file.text, "built-in machine " + std::string(file.name)));
  }
  return machines;
}

std::string read_file(const fs::path& path) {
  std::error_code error;
  // Asked first: opening a pipe would wait for a writer.
  if (!fs::is_regular_file(path, error)) {
    throw InputError(path.string(), "cannot open: not a regular file");
  }
  if (fs::file_size(path, error) > kLargestFile) {
    throw InputError(path.string(), "is larger than 1 MiB: not a machine file");
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) {
    throw InputError(path.string(), "cannot read");
  }
  return text;
}

}  // namespace

MachineFile parse_machine(std::string_view text, const std::string& place) {
  const json::value document = parse_strict_json(text, place, 0);
  const Node root(document, place);
  root.require_keys({"name", "description", "notes", "fields"});
  MachineFile file{};
  file.machine.name = root["name"].name();
  file.description = root["description"].text();
  file.notes = root["notes"].texts();

  const Node fields = root["fields"];
  fields.require_keys(names_of(machine_fields()));
  for (const MachineFieldRecord& record : machine_fields()) {
    const Node field = fields[record.name];
    field.require_keys({"value", "confidence", "source"});
    const int64_t value = field["value"].integer();
    if (const std::optional<std::string> fault = range_fault(record, value)) {
      field["value"].fail(*fault);
    }
    file.fields.push_back({std::string(record.name), value, field["confidence"].confidence(),
                           field["source"].text()});
    record.set(file.machine, value);
  }
  if (const std::optional<MachineFault> fault = find_fault(file.machine)) {
    fields[fault->field]["value"].fail(fault->reason);
  }
  file.machine.memory = make_rate(file.machine.memory.bytes,
                                  checked_multiply(file.machine.clock_hertz, file.machine.cores,
                                                   place + ", clock_hertz * cores"));
  return file;
}

const std::vector<MachineFile>& built_in_machines() {
  static const std::vector<MachineFile> machines = parse_built_in_texts();
  return machines;
}

MachineFile load_machine(std::string_view name_or_path) {
  std::vector<std::string_view> names;
  for (const MachineFile& file : built_in_machines()) {
    if (file.machine.name == name_or_path) {
      return file;
    }
    names.push_back(file.machine.name);
  }
  const fs::path path(name_or_path);
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw InputError("--machine", in_quotes(name_or_path) + " is neither a built-in machine (" +
                                      list_of(names) + ") nor a file");
  }
  return parse_machine(read_file(path), path.string());
}

}  // namespace nibblecore
