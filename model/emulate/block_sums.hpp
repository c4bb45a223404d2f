// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/emulate/lane_vectors.hpp"
#include "model/emulate/tile_shape.hpp"

namespace nibblecore {

/// The scales of a strip in FP64, which every row of a tile multiplies.
template <int kBlocks>
using WideScales = std::array<std::array<double, kStripColumns>, kBlocks>;

template <int kBlocks>
[[gnu::always_inline]] inline void widen_scales(const float* scales, WideScales<kBlocks>& wide) {
  for (size_t block = 0; block < size_t{kBlocks}; ++block) {
    for (size_t column = 0; column < size_t{kStripColumns}; ++column) {
      wide[block][column] = double{scales[block * size_t{kStripColumns} + column]};
    }
  }
}

/// Adds block values of some columns of a row, dot times both scales, to `sums` in FP64 lanes.
/// `dots` are [blocks, kPanelRows, kStripColumns] from the first of those columns on, `a_scales`
/// the row's in every lane.
template <int Width, int kBlocks>
[[gnu::always_inline]] inline void add_blocks(
    const int32_t* dots, const typename LaneVectors<Width>::Double (&a_scales)[kBlocks],
    const WideScales<kBlocks>& b_scales, int64_t column,
    typename LaneVectors<Width>::Double& sums) {
  using Vectors = LaneVectors<Width>;
  for (int64_t block = 0; block < kBlocks; ++block) {
    typename Vectors::HalfInt integers;
    typename Vectors::Double numbers;
    typename Vectors::Double scales;
    Vectors::load(dots + block * static_cast<int64_t>(kTileOutputs), integers);
    Vectors::widen(integers, numbers);
    Vectors::load(b_scales[static_cast<size_t>(block)].data() + column, scales);
    Vectors::add_product(numbers, scales * a_scales[block], sums);
  }
}

/// The scales of one row of A in every lane.
template <int Width, int kBlocks>
[[gnu::always_inline]] inline void spread_scales(
    const float* scales, typename LaneVectors<Width>::Double (&spread)[kBlocks]) {
  for (int64_t block = 0; block < kBlocks; ++block) {
    spread[block] = typename LaneVectors<Width>::Double{} + double{scales[block * kPanelRows]};
  }
}

}  // namespace nibblecore
