// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine/confidence.hpp"

namespace nibblecore {

/// What one operation or byte costs, with where that is from.
struct EnergyEntry {
  std::string name;  ///< as WorkRecord::entry has it
  int64_t femtojoules;
  Confidence confidence;
  std::string source;
};

/// Prices of work (docs/step-timing.md describes the file). Entries may be missing: the work that
/// needs one then has no price, and asking for it is an error.
struct EnergyTable {
  std::string name;
  std::string description;
  std::vector<std::string> notes;  ///< caveats to print with results
  std::vector<EnergyEntry> entries;

  /// The entry of this name; null where the table has none.
  const EnergyEntry* find(std::string_view entry) const;
};

/// Names of the entries that a table may have, each once, in the order of work_records().
std::vector<std::string_view> energy_entry_names();

/// Reads an energy table's text. InputError naming `place`, the offset or field, and the reason:
/// malformed JSON, an entry that is unknown or twice there, of a wrong type or out of range, no
/// source, an unknown mark of confidence.
EnergyTable parse_energy_table(std::string_view text, const std::string& place);

/// The tables that come with the program.
const std::vector<EnergyTable>& built_in_energy_tables();

/// The built-in table of this name, else the file at this path; InputError naming the built-in ones
/// where it is neither.
EnergyTable load_energy_table(std::string_view name_or_path);

}  // namespace nibblecore
