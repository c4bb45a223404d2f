// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/emulate/aligned_buffer.hpp"
#include "model/emulate/emulated_gemm.hpp"
#include "model/emulate/exact_run.hpp"
#include "model/emulate/tile_kernels.hpp"
#include "model/emulate/tile_region.hpp"
#include "model/emulate/wide_sum.hpp"

namespace nibblecore {

/// Computes some tiles of a result under `exact`, a tile over all of K after the other.
///
/// Blocks are added in FP64 as long as every sum is exact. Where their scales differ too much for
/// that, or have factors of their own (macro scales, the alpha of a residual), what was added so
/// far goes into a WideSum an output. Everything is rounded once, at the end.
class ExactRegion {
 public:
  explicit ExactRegion(const EmulatedGemm& gemm);

  /// Writes the outputs of `range`; arguments as EmulatedGemm::run.
  void compute(const TileRange& range, const uint32_t* c, uint32_t* d, uint8_t* truncation);

 private:
  /// The tile that is being computed.
  struct Tile {
    int64_t panel;
    int64_t strip;
    int64_t rows;
    int64_t columns;
  };

  using RowFactors = std::array<double, kPanelRows>;
  using ColumnFactors = std::array<double, kStripColumns>;

  void compute(const Tile& tile, const uint32_t* c, uint32_t* d);
  void perform(const GemmStep& step, const Tile& tile);
  void add(const LeftPanels& a, int64_t first, int64_t end, const Tile& tile);
  bool include(const LeftPanels& a, int64_t first, const TileBlocks& blocks, const Tile& tile);
  void set_factors(const GemmStep& step, const Tile& tile);
  void flush(const Tile& tile);
  void finish_row(const Tile& tile, int64_t row, const float* starts, float* results) const;

  const EmulatedGemm& gemm_;
  const TileKernels& kernels_;
  ExactRun run_;
  AlignedBuffer<double> sums_;  ///< [kPanelRows, kStripColumns] of the run
  AlignedBuffer<int32_t> dots_;
  bool is_wide_ = false;            ///< whether `wide_sums_` hold something
  std::vector<WideSum> wide_sums_;  ///< [kPanelRows, kStripColumns], or none so far
  std::vector<uint8_t> is_nan_;     ///< the same: whether a NaN went into a wide sum
  bool has_factors_ = false;        ///< whether the run is multiplied by these factors
  RowFactors row_factors_{};
  ColumnFactors column_factors_{};
};

}  // namespace nibblecore
