// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/machine/energy_table.hpp"
#include "model/machine/work_counts.hpp"

namespace nibblecore {

/// Whole femtojoules: 64 bits hold 9,200 joules only.
__extension__ using Femtojoules = __int128;

/// The nearest double.
double joules(Femtojoules energy);

/// Energy of work, by group; exact.
struct Energy {
  std::array<Femtojoules, kWorkGroups> groups{};

  Femtojoules total() const;
  Femtojoules operator[](WorkGroup group) const { return groups[static_cast<size_t>(group)]; }
};

/// Every count times its entry. InputError naming the table and the entry where work was done that
/// the table has no price for.
Energy energy_of(const WorkCounts& work, const EnergyTable& table);

}  // namespace nibblecore
