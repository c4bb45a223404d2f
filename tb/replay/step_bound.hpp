// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/machine/cycle_report.hpp"

namespace nibblecore::tb {

/// What keeps a GEMM from being faster (docs/step-timing.md).
enum class Bound {
  kCompute,  ///< the array and its adders
  kMemory,   ///< the memory port
  kFill,     ///< neither: start-up, drain, quantizer and moves, work that did not overlap
  kBf16,     ///< not a 4-bit GEMM: the machine's BF16 rate, at which nothing waits
};
inline constexpr int kBounds = 4;
std::string_view name_of(Bound bound);

/// Cycles by what they are bound by; they sum to the cycles of the GEMMs.
struct BoundCycles {
  std::array<int64_t, kBounds> cycles{};

  int64_t& operator[](Bound bound) { return cycles[static_cast<size_t>(bound)]; }
  int64_t operator[](Bound bound) const { return cycles[static_cast<size_t>(bound)]; }
  int64_t total() const;
  /// What most cycles are bound by; of equal ones the first of the enumeration.
  Bound largest() const;

  void add(const BoundCycles& other, int64_t times);
};

/// Of one GEMM on its slowest core, or of equal ones in a row. The array's work is the steps that
/// it issues and its waits for the accumulators; the port's, the cycles in which it transfers. The
/// greater of both bounds as many cycles as it takes, and what is left of the total is fill.
BoundCycles bound_cycles(const CycleReport& report);

}  // namespace nibblecore::tb
