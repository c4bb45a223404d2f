// SPDX-License-Identifier: Apache-2.0
#include "model/machine/cycle_report.hpp"

#include <numeric>
#include <string>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"

namespace nibblecore {
namespace {

constexpr std::string_view kPlace = "cycles of the GEMMs";

constexpr std::array<std::string_view, kUnits> kUnitNames{"memory_port", "move_a", "move_b",
                                                          "array"};
constexpr std::array<std::string_view, kStallCauses> kCauseNames{
    "operand_a", "operand_b", "result", "full_buffer", "start_values", "accumulate", "pipeline"};

void add_times(int64_t& sum, int64_t value, int64_t times) {
  sum = checked_add(sum, checked_multiply(value, times, kPlace), kPlace);
}

}  // namespace

int64_t UnitCycles::stalled() const {
  return std::accumulate(stalls.begin(), stalls.end(), int64_t{0});
}

int64_t CycleReport::all_steps() const {
  return std::accumulate(steps.begin(), steps.end(), int64_t{0});
}

void CycleReport::add(const CycleReport& other, int64_t times) {
  add_times(total, other.total, times);
  for (size_t unit = 0; unit < units.size(); ++unit) {
    add_times(units[unit].busy, other.units[unit].busy, times);
    for (size_t cause = 0; cause < units[unit].stalls.size(); ++cause) {
      add_times(units[unit].stalls[cause], other.units[unit].stalls[cause], times);
    }
    add_times(units[unit].idle, other.units[unit].idle, times);
  }
  for (size_t kind = 0; kind < steps.size(); ++kind) {
    add_times(steps[kind], other.steps[kind], times);
  }
  add_times(quantized_blocks, other.quantized_blocks, times);
  add_times(loaded_bytes, other.loaded_bytes, times);
  add_times(stored_bytes, other.stored_bytes, times);
}

void require_balanced(const CycleReport& report) {
  for (size_t unit = 0; unit < report.units.size(); ++unit) {
    if (report.units[unit].total() != report.total) {
      throw InternalError("the cycles of " + std::string(kUnitNames[unit]) + " sum to " +
                          std::to_string(report.units[unit].total()) + " of " +
                          std::to_string(report.total));
    }
  }
}

std::string_view name_of(Unit unit) { return kUnitNames[static_cast<size_t>(unit)]; }

std::string_view name_of(StallCause cause) { return kCauseNames[static_cast<size_t>(cause)]; }

}  // namespace nibblecore
