// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/reference/dot_corrections.hpp"

namespace nibblecore {

/// The accumulator of one output where macro blocks may have factors: products then pass through a
/// tile sum, which the epilogue takes in at the end of each macro block.
class MacroAccumulator {
 public:
  /// Starts at these FP32 bits, not a NaN. Refers to `corrections`.
  MacroAccumulator(uint32_t start, const DotCorrections& corrections);

  /// The FP32 sum that products from element `k` of K on are to be added to: that of the tile, or
  /// without macro scales of everything.
  uint32_t& sum_at(int64_t k);
  /// The result, when all is added.
  uint32_t finish();

 private:
  void take_in();

  const DotCorrections& corrections_;
  uint32_t sum_;  ///< of the tile; without macro scales of everything
  uint32_t total_;
  int64_t macro_block_ = -1;  ///< of the tile sum; negative before the first
};

}  // namespace nibblecore
