// SPDX-License-Identifier: Apache-2.0
#include "model/machine/energy.hpp"

#include <string>

#include "model/common/error.hpp"

namespace nibblecore {

double joules(Femtojoules energy) {
  // One division of exact numbers, so that it is rounded once more at most.
  return static_cast<double>(energy) / 1e15;
}

Femtojoules Energy::total() const {
  Femtojoules sum = 0;
  for (const Femtojoules group : groups) {
    sum += group;
  }
  return sum;
}

Energy energy_of(const WorkCounts& work, const EnergyTable& table) {
  Energy energy;
  for (size_t i = 0; i < work.counts.size(); ++i) {
    const int64_t count = work.counts[i];
    if (count == 0) {
      continue;
    }
    const WorkRecord& record = work_records()[i];
    const EnergyEntry* entry = table.find(record.entry);
    if (entry == nullptr) {
      throw InputError("energy table " + table.name, "entry \"" + std::string(record.entry) +
                                                         "\" is missing, and the replay has " +
                                                         std::to_string(count) + " " +
                                                         std::string(record.name));
    }
    energy.groups[static_cast<size_t>(record.group)] += Femtojoules{count} * entry->femtojoules;
  }
  return energy;
}

}  // namespace nibblecore
