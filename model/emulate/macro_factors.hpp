// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/macro_scales.hpp"

namespace nibblecore {

/// Factors of an operand's macro blocks, those of neighbouring rows side by side: [macro blocks,
/// rows], rows padded to a multiple of a tile's.
class MacroFactors {
 public:
  MacroFactors() = default;
  /// Of `rows` rows of `k` elements in macro blocks of `length`; all 1 where `macro` is null.
  MacroFactors(const MacroScales* macro, int64_t rows, int64_t k, int64_t length, int64_t tile);

  /// Factors of a macro block, from row `row` on.
  const float* of(int64_t macro_block, int64_t row) const {
    return factors_.data() + macro_block * stride_ + row;
  }

 private:
  int64_t stride_ = 0;
  std::vector<float> factors_;
};

}  // namespace nibblecore
