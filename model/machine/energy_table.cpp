// SPDX-License-Identifier: Apache-2.0
#include "model/machine/energy_table.hpp"

#include <algorithm>

#include <boost/json/value.hpp>

#include "model/common/error.hpp"
#include "model/common/json_node.hpp"
#include "model/common/named_file.hpp"
#include "model/common/strict_json.hpp"
#include "model/machine/energy_texts.hpp"
#include "model/machine/work_counts.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

// A millijoule an operation: far above any, and small enough for sums in 128 bits.
constexpr int64_t kMostFemtojoules = 1'000'000'000'000;

std::vector<EnergyTable> parse_energy_texts() {
  std::vector<EnergyTable> tables;
  for (const EmbeddedText& file : energy_texts()) {
    tables.push_back(
        parse_energy_table(file.text, "built-in energy table " + std::string(file.name)));
  }
  return tables;
}

}  // namespace

const EnergyEntry* EnergyTable::find(std::string_view entry) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const EnergyEntry& one) { return one.name == entry; });
  return found == entries.end() ? nullptr : &*found;
}

std::vector<std::string_view> energy_entry_names() {
  std::vector<std::string_view> names;
  for (const WorkRecord& record : work_records()) {
    if (std::find(names.begin(), names.end(), record.entry) == names.end()) {
      names.push_back(record.entry);
    }
  }
  return names;
}

EnergyTable parse_energy_table(std::string_view text, const std::string& place) {
  const json::value document = parse_strict_json(text, place, 0);
  const JsonNode root(document, place);
  root.require_keys({"name", "description", "notes", "entries"});
  EnergyTable table;
  table.name = root["name"].name();
  table.description = root["description"].text();
  table.notes = root["notes"].texts();
  const JsonNode entries = root["entries"];
  entries.require_keys({}, energy_entry_names());
  for (const auto& [name, entry] : entries.members()) {
    entry.require_keys({"femtojoules", "confidence", "source"});
    table.entries.push_back({name, entry["femtojoules"].integer(0, kMostFemtojoules),
                             entry["confidence"].choice(kConfidences).confidence,
                             entry["source"].text()});
  }
  return table;
}

const std::vector<EnergyTable>& built_in_energy_tables() {
  static const std::vector<EnergyTable> tables = parse_energy_texts();
  return tables;
}

EnergyTable load_energy_table(std::string_view name_or_path) {
  return load_named(
      NamedFileKind{"--energy", "energy table", "an energy table"}, built_in_energy_tables(),
      name_or_path, [](const EnergyTable& known) -> std::string_view { return known.name; },
      parse_energy_table);
}

}  // namespace nibblecore
