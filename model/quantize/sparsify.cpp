// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/sparsify.hpp"

#include <algorithm>
#include <vector>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/quantize/largest_half.hpp"
#include "model/quantize/two_of_four.hpp"

namespace nibblecore {
namespace {

/// Zeroes the channels without a flag. `selected`: [k].
PackedMatrix keep_channels(PackedMatrix matrix, const std::vector<uint8_t>& selected) {
  std::vector<uint8_t> mask(static_cast<size_t>(matrix.code_stride()));
  for (int64_t i = 0; i < matrix.k; ++i) {
    set_packed_code(mask.data(), i, selected[static_cast<size_t>(i)] != 0 ? 0xF : 0);
  }
  for (size_t i = 0; i < matrix.codes.size(); ++i) {
    matrix.codes[i] = static_cast<uint8_t>(matrix.codes[i] & mask[i % mask.size()]);
  }
  return matrix;
}

/// Zeroes the tiles without a flag. `selected`: [row tiles, channel tiles].
PackedMatrix keep_tiles(PackedMatrix matrix, const std::vector<uint8_t>& selected) {
  constexpr int64_t kTileBytes = kResidualTileChannels / 2;
  const int64_t channel_tiles = ceil_divide(matrix.k, kResidualTileChannels);
  for (int64_t row = 0; row < matrix.rows; ++row) {
    for (int64_t tile = 0; tile < channel_tiles; ++tile) {
      const int64_t index = row / kResidualTileRows * channel_tiles + tile;
      if (selected[static_cast<size_t>(index)] == 0) {
        const int64_t first = tile * kTileBytes;
        const int64_t last = std::min(matrix.code_stride(), first + kTileBytes);
        std::fill(matrix.row_codes(row) + first, matrix.row_codes(row) + last, uint8_t{0});
      }
    }
  }
  return matrix;
}

}  // namespace

PackedMatrix sparsify(const PackedMatrix& residual, ResidualPattern pattern, int threads) {
  switch (pattern) {
    case ResidualPattern::kTwoOfFour:
      return select_two_of_four(residual, threads).selected;
    case ResidualPattern::kDense:
      return residual;
    case ResidualPattern::kChannel50:
      return keep_channels(residual, largest_channels(residual, threads));
    case ResidualPattern::kBlock32x64At50:
      return keep_tiles(residual, largest_tiles(residual, threads));
    case ResidualPattern::kNone:
      break;
  }
  throw InternalError("nothing is selected from a residual that is not there");
}

}  // namespace nibblecore
