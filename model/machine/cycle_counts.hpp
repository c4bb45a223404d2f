// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore {

/// Where the cycles of the multiplier array went during one GEMM; every cycle has one cause.
struct CycleCounts {
  int64_t busy = 0;   ///< a step was multiplied
  int64_t fill = 0;   ///< before the first step reached the array
  int64_t drain = 0;  ///< after the last step, until the last result is stored
  int64_t stall = 0;  ///< between steps: an operand missing or the output blocked

  constexpr int64_t total() const { return busy + fill + drain + stall; }

  /// Adds `times` GEMMs of the same cycles.
  constexpr void add(const CycleCounts& other, int64_t times) {
    busy += other.busy * times;
    fill += other.fill * times;
    drain += other.drain * times;
    stall += other.stall * times;
  }

  friend constexpr bool operator==(const CycleCounts& a, const CycleCounts& b) {
    return a.busy == b.busy && a.fill == b.fill && a.drain == b.drain && a.stall == b.stall;
  }
};

}  // namespace nibblecore
