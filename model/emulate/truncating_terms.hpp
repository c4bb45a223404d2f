// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/tile_shape.hpp"
#include "model/emulate/truncating_rule.hpp"

namespace nibblecore {

/// The terms of one row of a tile in one node, before their scales.
struct TruncatingTerms {
  static constexpr size_t kMost = 32;
  int count;
  std::array<uint8_t, kMost> block;  ///< that a term belongs to
  /// [term][column]: the exact sum of products of elements, in quarters.
  alignas(64) std::array<std::array<int32_t, kStripColumns>, kMost> sums;
  /// [term][column]: the power of two that the elements add to the exponent of the scales; 0 marks
  /// a term that has the exponent of zero.
  alignas(64) std::array<std::array<float, kStripColumns>, kMost> powers;
};

/// Fills in the terms of row `row` of a node, whose zeros of A stand as `a_zero`.
void make_terms(const TruncatingRule& rule, const TileBlocks& node, int64_t row, uint8_t a_zero,
                EmulatorTarget target, TruncatingTerms& terms);

}  // namespace nibblecore
