// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "model/emulate/operand_strips.hpp"
#include "model/emulate/row_block.hpp"
#include "model/formats/gemm_corrections.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// Rows of A that are worked on together: a block of B stays in the innermost cache for them.
inline constexpr int kTileRows = 16;

/// A GEMM whose operands are decoded, in tiles of kTileRows by kStripColumns outputs; what it
/// computes is emulate_gemm's. Refers to C, D and what `corrections` point to.
class TileGemm {
 public:
  TileGemm(const PackedMatrix& a, const PackedMatrix& b, const GemmCorrections& corrections,
           const uint32_t* c, uint32_t* d, int threads);

  int64_t row_tiles() const;
  int64_t column_tiles() const { return b_.strips(); }

  void compute_tile(int64_t row_tile, int64_t column_tile) const;

 private:
  using Rows = std::array<RowAccumulators, kTileRows>;

  /// Which outputs a tile has.
  struct Place {
    int64_t first_row;
    int64_t rows;
    int64_t column_tile;
  };

  /// The accumulators of a tile and, with macro scales, the sums of the macro block that is being
  /// added (negative before the first).
  struct Sums {
    Rows accumulators{};
    Rows macro_sums{};
    int64_t macro_block = -1;
  };

  template <class Body>
  void for_each_output(const Place& place, const Body& body) const;
  void add_rows(const OperandStrips& a, const Place& place, int64_t first, int64_t end,
                Rows& rows) const;
  void add_blocks(const OperandStrips& a, const Place& place, int64_t first, int64_t end,
                  Sums& sums) const;
  void take_in(const Place& place, Sums& sums) const;
  void add_all(const Place& place, Sums& sums) const;
  void add_residual_times_alpha(const Place& place, Rows& accumulators) const;
  void load(const Place& place, Rows& rows) const;
  void store(const Place& place, const Rows& rows) const;

  OperandStrips a_;
  OperandStrips b_;
  std::optional<OperandStrips> residual_;  ///< of A
  GemmCorrections corrections_;
  int64_t rows_;
  int64_t columns_;
  int64_t k_;
  int64_t blocks_;
  int block_length_;
  int64_t granule_blocks_;    ///< blocks after which the residual's of the same elements follow
  int64_t macro_blocks_ = 0;  ///< blocks of a macro block, 0 without macro scales
  float alpha_;
  const uint32_t* c_;
  uint32_t* d_;
};

}  // namespace nibblecore
