// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/tile_gemm.hpp"

#include <algorithm>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/emulate/macro_epilogue.hpp"
#include "model/emulate/multiply_add.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore {
namespace {

StripBlock strip_block(const OperandStrips& operand, int64_t strip, int64_t block) {
  return {operand.elements(strip, block), operand.scales(strip, block),
          operand.range(strip, block)};
}

uint32_t canonical_bits(float value) {
  const uint32_t bits = float_bits(value);
  return fp32_is_nan(bits) ? kFp32Nan : bits;
}

float factor_of(const MacroScales* macro, int64_t row, int64_t k, int64_t macro_block) {
  return macro == nullptr ? 1.0F : macro->row_factors(row, k)[macro_block];
}

}  // namespace

TileGemm::TileGemm(const PackedMatrix& a, const PackedMatrix& b, const GemmCorrections& corrections,
                   const uint32_t* c, uint32_t* d, int threads)
    : a_(a, 1, threads),
      b_(b, kStripColumns, threads),
      corrections_(corrections),
      rows_(a.rows),
      columns_(b.rows),
      k_(a.k),
      blocks_(a.blocks()),
      block_length_(a.format.block),
      granule_blocks_(blocks_),
      macro_blocks_(corrections.macro_length() / block_length_),
      alpha_(a.tensor_scale * b.tensor_scale),
      c_(c),
      d_(d) {
  if (corrections.residual != nullptr) {
    residual_.emplace(corrections.residual->matrix, 1, threads);
    granule_blocks_ = std::min(blocks_, ceil_divide(corrections.residual->granule, block_length_));
  }
}

int64_t TileGemm::row_tiles() const { return ceil_divide(rows_, kTileRows); }

void TileGemm::compute_tile(int64_t row_tile, int64_t column_tile) const {
  const int64_t first_row = row_tile * kTileRows;
  const Place place{first_row, std::min<int64_t>(kTileRows, rows_ - first_row), column_tile};
  Sums sums;
  if (c_ != nullptr) {
    load(place, sums.accumulators);
  }
  if (corrections_.residual_alpha && blocks_ > 0) {
    add_blocks(a_, place, 0, blocks_, sums);
    take_in(place, sums);
    add_residual_times_alpha(place, sums.accumulators);
  } else {
    add_all(place, sums);
  }
  store(place, sums.accumulators);
}

/// All blocks, those of the residual into the same accumulators.
void TileGemm::add_all(const Place& place, Sums& sums) const {
  for (int64_t first = 0; first < blocks_; first += granule_blocks_) {
    const int64_t end = std::min(blocks_, first + granule_blocks_);
    add_blocks(a_, place, first, end, sums);
    if (residual_) {
      add_blocks(*residual_, place, first, end, sums);
    }
  }
  take_in(place, sums);
}

void TileGemm::add_residual_times_alpha(const Place& place, Rows& accumulators) const {
  Sums sums;
  add_blocks(*residual_, place, 0, blocks_, sums);
  take_in(place, sums);
  const float alpha = *corrections_.residual_alpha;
  for (size_t i = 0; i < accumulators.size(); ++i) {
    for (size_t j = 0; j < accumulators[i].size(); ++j) {
      accumulators[i][j] = multiply_add(sums.accumulators[i][j], alpha, accumulators[i][j]);
    }
  }
}

/// Adds the blocks [first, end) of a tile's rows of A, or of its residual, in this order. The last
/// macro block is left in its sums: what follows may belong to it.
void TileGemm::add_blocks(const OperandStrips& a, const Place& place, int64_t first, int64_t end,
                          Sums& sums) const {
  if (macro_blocks_ == 0) {
    add_rows(a, place, first, end, sums.accumulators);
    return;
  }
  while (first < end) {
    const int64_t macro_block = first / macro_blocks_;
    if (macro_block != sums.macro_block) {
      take_in(place, sums);
      sums.macro_block = macro_block;
    }
    const int64_t left = macro_blocks_ - first % macro_blocks_;
    const int64_t stop = first + std::min(end - first, left);
    add_rows(a, place, first, stop, sums.macro_sums);
    first = stop;
  }
}

void TileGemm::add_rows(const OperandStrips& a, const Place& place, int64_t first, int64_t end,
                        Rows& rows) const {
  for (int64_t block = first; block < end; ++block) {
    const StripBlock b = strip_block(b_, place.column_tile, block);
    for (int64_t i = 0; i < place.rows; ++i) {
      accumulate_row_block(strip_block(a, place.first_row + i, block), b, block_length_,
                           rows[static_cast<size_t>(i)]);
    }
  }
}

/// The epilogue of a macro block, where one has been added.
void TileGemm::take_in(const Place& place, Sums& sums) const {
  if (sums.macro_block < 0) {
    return;
  }
  const int64_t first_column = place.column_tile * kStripColumns;
  RowAccumulators b_factors{};
  for (int64_t j = 0; j < std::min<int64_t>(kStripColumns, columns_ - first_column); ++j) {
    b_factors[static_cast<size_t>(j)] =
        factor_of(corrections_.b_macro, first_column + j, k_, sums.macro_block);
  }
  for (int64_t i = 0; i < place.rows; ++i) {
    const auto row = static_cast<size_t>(i);
    take_in_macro_block(factor_of(corrections_.a_macro, place.first_row + i, k_, sums.macro_block),
                        b_factors, corrections_.epilogue, sums.macro_sums[row],
                        sums.accumulators[row]);
  }
}

/// Calls body(row in the tile, column in the tile, index into C and D).
template <class Body>
void TileGemm::for_each_output(const Place& place, const Body& body) const {
  const int64_t first_column = place.column_tile * kStripColumns;
  const int64_t columns = std::min<int64_t>(kStripColumns, columns_ - first_column);
  for (int64_t i = 0; i < place.rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      body(static_cast<size_t>(i), static_cast<size_t>(j),
           (place.first_row + i) * columns_ + first_column + j);
    }
  }
}

void TileGemm::load(const Place& place, Rows& rows) const {
  for_each_output(place, [&](size_t i, size_t j, int64_t index) {
    const float start = bits_float(c_[index]);
    // A negative dot under a zero scale multiplies to -0, which would leave an accumulator of -0
    // as it is, though the sum of two zeros must be +0. Adding +0 first is no rounding, and later
    // accumulators are -0 only where a sum was rounded to it: under E8M0, which has no zero. An
    // epilogue, however, keeps a common sign of two zeros.
    rows[i][j] = blocks_ == 0 || macro_blocks_ != 0 ? start : start + 0.0F;
  });
}

void TileGemm::store(const Place& place, const Rows& rows) const {
  for_each_output(place, [&](size_t i, size_t j, int64_t index) {
    d_[index] = canonical_bits(rows[i][j] * alpha_);  // by 1 changes no bit
  });
}

}  // namespace nibblecore
