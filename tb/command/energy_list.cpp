// SPDX-License-Identifier: Apache-2.0
#include "tb/command/energy_list.hpp"

#include <fmt/format.h>

#include "model/machine/energy_table.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {

std::string energy_list() {
  std::string text;
  for (const EnergyTable& table : built_in_energy_tables()) {
    text += fmt::format("{}: {}\n", table.name, table.description);
    TextTable entries({"entry", "femtojoules", "mark", "source"});
    for (const EnergyEntry& entry : table.entries) {
      entries.add_row({entry.name, std::to_string(entry.femtojoules),
                       std::string(confidence_record(entry.confidence).name), entry.source});
    }
    text += entries.text();
    for (const std::string& note : table.notes) {
      text += "note: " + note + "\n";
    }
    text += "\n";
  }
  text.pop_back();
  return text;
}

}  // namespace nibblecore::tb
