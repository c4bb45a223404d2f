// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "model/common/random_stream.hpp"
#include "model/formats/matrix_view.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore {

/// Which elements the scale of a block is made for.
enum class BlockShape {
  kRow,     ///< those of the block: 1 x B along K
  kSquare,  ///< those of its tile of B rows by B of K, smaller at the edges: the same values come
            ///< out whichever axis is K (NVFP4 training, arXiv 2509.25149, keeps weights so)
};

/// Where the elements of an operand lie in the stored tensor, in row-major order: (row, k) is
/// element first + row * row_stride + k * k_stride. It picks an element's random numbers, which so
/// don't depend on the axis that is K.
struct ElementIndex {
  int64_t first = 0;
  int64_t row_stride = 0;
  int64_t k_stride = 1;

  constexpr uint64_t of(int64_t row, int64_t k) const {
    return static_cast<uint64_t>(first + row * row_stride + k * k_stride);
  }
};

/// The elements of a view whose first is `first` in the stored tensor.
constexpr ElementIndex element_index(const MatrixView& view, int64_t first) {
  return {first, view.row_stride, view.k_stride};
}

/// What quantizing an operand leaves open beyond its preset.
struct QuantizeChoices {
  BlockShape shape = BlockShape::kRow;
  std::optional<RandomStream> random;  ///< needed where the preset's rounding is stochastic
  int64_t first_element = 0;           ///< index of the view's first element in the stored tensor
};

/// InputError where the preset's rounding is stochastic and there is no stream, or blocks are to be
/// square and their scales don't follow from the largest magnitude of a tile: HiF4, whose
/// micro-exponents belong to groups along K; `best_pow2` and 4over6, which compare the errors of
/// single blocks; peers whose largest magnitude leaves NaN out.
void require_choices(const Preset& preset, BlockShape shape,
                     const std::optional<RandomStream>& random);

}  // namespace nibblecore
