// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/gemm.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/parallel.hpp"
#include "model/emulate/operand_strips.hpp"
#include "model/emulate/row_block.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore {
namespace {

/// Rows of A that are worked on together: a block of B stays in the innermost cache for them.
constexpr int kTileRows = 16;

using Tile = std::array<RowAccumulators, kTileRows>;

void check_operands(const PackedMatrix& a, const PackedMatrix& b) {
  if (a.format.element != b.format.element || a.format.scale != b.format.scale ||
      a.format.block != b.format.block) {
    throw InputError("GEMM operands", "A and B have different formats");
  }
  if (a.k != b.k) {
    throw InputError("GEMM operands",
                     "K is " + std::to_string(a.k) + " in A and " + std::to_string(b.k) + " in B");
  }
}

StripBlock strip_block(const OperandStrips& operand, int64_t strip, int64_t block) {
  return {operand.elements(strip, block), operand.scales(strip, block),
          operand.range(strip, block)};
}

uint32_t canonical_bits(float value) {
  const uint32_t bits = float_bits(value);
  return fp32_is_nan(bits) ? kFp32Nan : bits;
}

/// A GEMM whose operands are decoded, in tiles of kTileRows by kStripColumns outputs.
class TileGemm {
 public:
  TileGemm(const PackedMatrix& a, const PackedMatrix& b, const ResidualOperand* residual,
           const uint32_t* c, uint32_t* d, int threads)
      : a_(a, 1, threads),
        b_(b, kStripColumns, threads),
        rows_(a.rows),
        columns_(b.rows),
        blocks_(a.blocks()),
        block_length_(a.format.block),
        granule_blocks_(blocks_),
        alpha_(a.tensor_scale * b.tensor_scale),
        c_(c),
        d_(d) {
    if (residual != nullptr) {
      residual_.emplace(residual->matrix, 1, threads);
      granule_blocks_ = std::min(blocks_, ceil_divide(residual->granule, block_length_));
    }
  }

  int64_t row_tiles() const { return ceil_divide(rows_, kTileRows); }
  int64_t column_tiles() const { return b_.strips(); }

  void compute_tile(int64_t row_tile, int64_t column_tile) const {
    const int64_t first_row = row_tile * kTileRows;
    const int64_t rows = std::min<int64_t>(kTileRows, rows_ - first_row);
    Tile tile{};
    if (c_ != nullptr) {
      load(first_row, column_tile, tile);
    }
    for (int64_t first = 0; first < blocks_; first += granule_blocks_) {
      const int64_t end = std::min(blocks_, first + granule_blocks_);
      accumulate(a_, first_row, rows, column_tile, first, end, tile);
      if (residual_) {
        accumulate(*residual_, first_row, rows, column_tile, first, end, tile);
      }
    }
    store(first_row, column_tile, tile);
  }

 private:
  /// Calls body(row in the tile, column in the tile, index into C and D).
  template <class Body>
  void for_each_output(int64_t first_row, int64_t column_tile, const Body& body) const {
    const int64_t first_column = column_tile * kStripColumns;
    const int64_t rows = std::min<int64_t>(kTileRows, rows_ - first_row);
    const int64_t columns = std::min<int64_t>(kStripColumns, columns_ - first_column);
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        body(static_cast<size_t>(i), static_cast<size_t>(j),
             (first_row + i) * columns_ + first_column + j);
      }
    }
  }

  /// Adds the blocks [first, end) of a tile's rows of A, or of its residual, in this order.
  void accumulate(const OperandStrips& a, int64_t first_row, int64_t rows, int64_t column_tile,
                  int64_t first, int64_t end, Tile& tile) const {
    for (int64_t block = first; block < end; ++block) {
      const StripBlock b = strip_block(b_, column_tile, block);
      for (int64_t i = 0; i < rows; ++i) {
        accumulate_row_block(strip_block(a, first_row + i, block), b, block_length_,
                             tile[static_cast<size_t>(i)]);
      }
    }
  }

  void load(int64_t first_row, int64_t column_tile, Tile& tile) const {
    for_each_output(first_row, column_tile, [&](size_t i, size_t j, int64_t index) {
      const float start = bits_float(c_[index]);
      // A negative dot under a zero scale multiplies to -0, which would leave an accumulator of -0
      // as it is, though the sum of two zeros must be +0. Adding +0 first is no rounding, and later
      // accumulators are -0 only where a sum was rounded to it: under E8M0, which has no zero.
      tile[i][j] = blocks_ == 0 ? start : start + 0.0F;
    });
  }

  void store(int64_t first_row, int64_t column_tile, const Tile& tile) const {
    for_each_output(first_row, column_tile, [&](size_t i, size_t j, int64_t index) {
      d_[index] = canonical_bits(tile[i][j] * alpha_);  // by 1 changes no bit
    });
  }

  OperandStrips a_;
  OperandStrips b_;
  std::optional<OperandStrips> residual_;  ///< of A
  int64_t rows_;
  int64_t columns_;
  int64_t blocks_;
  int block_length_;
  int64_t granule_blocks_;
  float alpha_;
  const uint32_t* c_;
  uint32_t* d_;
};

}  // namespace

void emulate_gemm(const PackedMatrix& a, const PackedMatrix& b, const uint32_t* c, uint32_t* d,
                  int threads, const ResidualOperand* residual) {
  check_operands(a, b);
  if (residual != nullptr) {
    require_residual_of(*residual, a);
  }
  const TileGemm gemm(a, b, residual, c, d, threads);
  const int64_t row_tiles = gemm.row_tiles();
  parallel_for(row_tiles * gemm.column_tiles(), 1, threads, [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile) {
      // Rows vary fastest: the strip of B they share is larger than their rows of A.
      gemm.compute_tile(tile % row_tiles, tile / row_tiles);
    }
  });
}

}  // namespace nibblecore
