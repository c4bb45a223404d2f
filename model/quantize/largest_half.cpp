// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/largest_half.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "model/common/checked.hpp"
#include "model/common/parallel.hpp"
#include "model/formats/residual.hpp"
#include "model/quantize/squared_norm.hpp"

namespace nibblecore {
namespace {

using BlockSquares = std::array<uint16_t, 64>;

uint8_t scale_code(const PackedMatrix& matrix, int64_t row, int64_t block) {
  return matrix.row_scales(row)[block * matrix.format.scale_bytes()];
}

/// Norms of the channels of one block column.
std::vector<SquaredNormSum> channel_sums(const PackedMatrix& matrix, int64_t block) {
  std::vector<SquaredNormSum> sums(static_cast<size_t>(matrix.format.block),
                                   SquaredNormSum(matrix.format.scale));
  BlockSquares squares{};
  for (int64_t row = 0; row < matrix.rows; ++row) {
    block_squares(matrix, row, block, squares.data());
    for (size_t i = 0; i < sums.size(); ++i) {
      sums[i].add(scale_code(matrix, row, block), squares[i]);
    }
  }
  return sums;
}

SquaredNorm tile_norm(const PackedMatrix& matrix, int64_t row_tile, int64_t channel_tile) {
  const int64_t blocks_a_tile = kResidualTileChannels / matrix.format.block;
  const int64_t first_row = row_tile * kResidualTileRows;
  const int64_t first_block = channel_tile * blocks_a_tile;
  SquaredNormSum sum(matrix.format.scale);
  BlockSquares squares{};
  for (int64_t row = first_row; row < std::min(matrix.rows, first_row + kResidualTileRows); ++row) {
    for (int64_t block = first_block;
         block < std::min(matrix.blocks(), first_block + blocks_a_tile); ++block) {
      block_squares(matrix, row, block, squares.data());
      sum.add(scale_code(matrix, row, block),
              std::accumulate(squares.begin(), squares.begin() + matrix.format.block, uint64_t{0}));
    }
  }
  return sum.total();
}

/// Flags of the floor(half) largest norms.
std::vector<uint8_t> largest_half(const std::vector<SquaredNorm>& norms) {
  std::vector<size_t> order(norms.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return is_larger(norms[a], norms[b]); });
  std::vector<uint8_t> selected(norms.size());
  for (size_t i = 0; i < norms.size() / 2; ++i) {
    selected[order[i]] = 1;
  }
  return selected;
}

}  // namespace

std::vector<uint8_t> largest_channels(const PackedMatrix& matrix, int threads) {
  std::vector<SquaredNorm> norms(static_cast<size_t>(matrix.k));
  parallel_for(matrix.blocks(), 1, threads, [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      const std::vector<SquaredNormSum> sums = channel_sums(matrix, block);
      const int64_t first = block * matrix.format.block;
      for (int64_t i = first; i < std::min(matrix.k, first + matrix.format.block); ++i) {
        norms[static_cast<size_t>(i)] = sums[static_cast<size_t>(i - first)].total();
      }
    }
  });
  return largest_half(norms);
}

std::vector<uint8_t> largest_tiles(const PackedMatrix& matrix, int threads) {
  const int64_t channel_tiles = ceil_divide(matrix.k, kResidualTileChannels);
  const int64_t tiles = ceil_divide(matrix.rows, kResidualTileRows) * channel_tiles;
  std::vector<SquaredNorm> norms(static_cast<size_t>(tiles));
  parallel_for(tiles, 1, threads, [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile) {
      norms[static_cast<size_t>(tile)] =
          tile_norm(matrix, tile / channel_tiles, tile % channel_tiles);
    }
  });
  return largest_half(norms);
}

std::vector<uint8_t> residual_mask(const PackedMatrix& residual, ResidualPattern pattern,
                                   int threads) {
  switch (pattern) {
    case ResidualPattern::kChannel50:
      return largest_channels(residual, threads);
    case ResidualPattern::kBlock32x64At50:
      return largest_tiles(residual, threads);
    case ResidualPattern::kNone:
    case ResidualPattern::kTwoOfFour:
    case ResidualPattern::kDense:
      break;
  }
  return {};
}

}  // namespace nibblecore
