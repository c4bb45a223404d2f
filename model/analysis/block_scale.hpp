// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/formats/packed_matrix.hpp"
#include "model/quantize/quantize_block.hpp"

namespace nibblecore {

/// The scale that a quantized block is under.
struct BlockScale {
  /// What a unit element stands for: the block scale (HiF4: its level 1) times the tensor scale;
  /// NaN under a NaN scale. Exact.
  double scale = 0;
  /// The largest magnitude of each element, micro-exponents included.
  std::array<double, kLongestBlock> limits{};
};

/// The scale of block `block` of row `row`.
BlockScale block_scale(const PackedMatrix& packed, int64_t row, int64_t block);

}  // namespace nibblecore
