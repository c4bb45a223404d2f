// SPDX-License-Identifier: Apache-2.0
#include "model/machine/machine_file.hpp"

#include <optional>
#include <utility>

#include <boost/json/value.hpp>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/json_node.hpp"
#include "model/common/named_file.hpp"
#include "model/common/strict_json.hpp"
#include "model/machine/machine_field.hpp"
#include "model/machine/machine_texts.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

template <typename Records>
std::vector<std::string_view> names_of(const Records& records) {
  std::vector<std::string_view> names;
  names.reserve(records.size());
  for (const auto& record : records) {
    names.push_back(record.name);
  }
  return names;
}

std::vector<MachineFile> parse_machine_texts() {
  std::vector<MachineFile> machines;
  for (const EmbeddedText& file : machine_texts()) {
    machines.push_back(parse_machine(file.text, "built-in machine " + std::string(file.name)));
  }
  return machines;
}

}  // namespace

MachineFile parse_machine(std::string_view text, const std::string& place) {
  const json::value document = parse_strict_json(text, place, 0);
  const JsonNode root(document, place);
  root.require_keys({"name", "description", "notes", "fields"});
  MachineFile file{};
  file.machine.name = root["name"].name();
  file.description = root["description"].text();
  file.notes = root["notes"].texts();

  const JsonNode fields = root["fields"];
  fields.require_keys(names_of(machine_fields()));
  for (const MachineFieldRecord& record : machine_fields()) {
    const JsonNode field = fields[record.name];
    field.require_keys({"value", "confidence", "source"});
    const int64_t value = field["value"].integer();
    if (const std::optional<std::string> fault = range_fault(record, value)) {
      field["value"].fail(*fault);
    }
    file.fields.push_back({std::string(record.name), value,
                           field["confidence"].choice(kConfidences).confidence,
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
  static const std::vector<MachineFile> machines = parse_machine_texts();
  return machines;
}

MachineFile load_machine(std::string_view name_or_path) {
  return load_named(
      NamedFileKind{"--machine", "machine", "a machine file"}, built_in_machines(), name_or_path,
      [](const MachineFile& known) -> std::string_view { return known.machine.name; },
      parse_machine);
}

}  // namespace nibblecore
