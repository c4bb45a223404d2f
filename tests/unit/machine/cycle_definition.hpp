// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/machine/cycle_report.hpp"
#include "model/machine/program.hpp"

namespace nibblecore {

/// What a unit did from when on, for the tables of docs/cycles.md.
enum class Operation { kLoadA, kLoadB, kStart, kStore, kMoveA, kMoveB, kIssue };
struct Occupancy {
  Operation operation;
  int64_t trip;   ///< that it belongs to; of a store the last of its region
  int64_t first;  ///< cycle
  int64_t end;    ///< first cycle in which the unit is free again

  friend bool operator==(const Occupancy& a, const Occupancy& b) {
    return a.operation == b.operation && a.trip == b.trip && a.first == b.first && a.end == b.end;
  }
};

struct DefinedCycles {
  CycleReport report;
  std::vector<Occupancy> occupancies;  ///< in the order in which they end
};

/// The cycles of a program by definition: units that are stepped cycle by cycle, hand tokens on and
/// count what they did in each cycle. No recurrence, no closed form; small programs only.
DefinedCycles defined_cycles(const Program& program);

}  // namespace nibblecore
