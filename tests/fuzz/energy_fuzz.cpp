// SPDX-License-Identifier: Apache-2.0
#include "model/machine/energy_table.hpp"
#include "tests/fuzz/readers.hpp"

namespace nibblecore {

Verdict fuzz_energy(std::string_view bytes) {
  EnergyTable table;
  if (!accepts([&] { table = parse_energy_table(bytes, "energy table"); })) {
    return Verdict::kRefused;
  }
  for (const EnergyEntry& entry : table.entries) {
    require(entry.femtojoules >= 0, entry.name + " is no negative price");
    require(!entry.source.empty(), entry.name + " has a source");
    require(table.find(entry.name) == &entry, entry.name + " is found, and there once");
  }
  return Verdict::kAccepted;
}

}  // namespace nibblecore
