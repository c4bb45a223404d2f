// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/exact_region.hpp"

#include <algorithm>
#include <cmath>

#include "model/common/bits.hpp"
#include "model/emulate/exact_sums.hpp"
#include "model/emulate/result_row.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kBlocksAtOnce = 4;
constexpr auto kOutputs = static_cast<int64_t>(kTileOutputs);

}  // namespace

ExactRegion::ExactRegion(const EmulatedGemm& gemm)
    : gemm_(gemm),
      kernels_(tile_kernels(gemm.target_, gemm.format_.block)),
      run_(gemm.format_),
      sums_(kOutputs),
      dots_(kBlocksAtOnce * kOutputs) {}

void ExactRegion::compute(const TileRange& range, const uint32_t* c, uint32_t* d,
                          uint8_t* truncation) {
  for (int64_t strip = range.first_strip; strip < range.first_strip + range.strips; ++strip) {
    for (int64_t panel = range.first_panel; panel < range.first_panel + range.panels; ++panel) {
      const Tile tile{panel, strip, std::min<int64_t>(kPanelRows, gemm_.rows_ - panel * kPanelRows),
                      std::min<int64_t>(kStripColumns, gemm_.columns_ - strip * kStripColumns)};
      compute(tile, c, d);
      for (int64_t row = 0; truncation != nullptr && row < tile.rows; ++row) {
        std::fill_n(
            truncation + (panel * kPanelRows + row) * gemm_.columns_ + strip * kStripColumns,
            tile.columns, uint8_t{0});
      }
    }
  }
}

void ExactRegion::compute(const Tile& tile, const uint32_t* c, uint32_t* d) {
  std::fill_n(sums_.data(), kOutputs, 0.0);
  run_.clear();
  is_wide_ = false;
  has_factors_ = false;
  for (const GemmStep& step : gemm_.steps_) {
    perform(step, tile);
  }
  if (is_wide_ || has_factors_) {
    flush(tile);
  }
  for (int64_t row = 0; row < tile.rows; ++row) {
    const int64_t first =
        (tile.panel * kPanelRows + row) * gemm_.columns_ + tile.strip * kStripColumns;
    std::array<float, kStripColumns> starts{};
    std::array<float, kStripColumns> results{};
    for (int64_t column = 0; c != nullptr && column < tile.columns; ++column) {
      starts.at(static_cast<size_t>(column)) = bits_float(c[first + column]);
    }
    finish_row(tile, row, starts.data(), results.data());
    std::array<uint32_t, kStripColumns> row_bits;
    finish_results({results.data(), 0, 1, gemm_.alpha_, nan_of(Accumulation::kExact)},
                   gemm_.target_, row_bits.data());
    store_results(row_bits.data(), tile.columns, store_kind_of(gemm_.rows_ * gemm_.columns_),
                  d + first);
  }
}

void ExactRegion::perform(const GemmStep& step, const Tile& tile) {
  const bool is_residual = step.kind == GemmStep::Kind::kAddResidual;
  if (!is_residual && step.kind != GemmStep::Kind::kAddA) {
    return;  // factors belong to the blocks here
  }
  const bool has_factors = gemm_.corrections_.macro_length() > 0 ||
                           (is_residual && gemm_.corrections_.residual_alpha.has_value());
  if (has_factors || has_factors_) {
    flush(tile);
    has_factors_ = has_factors;
    set_factors(step, tile);
  }
  add(is_residual ? *gemm_.decoded_->residual : gemm_.decoded_->a, step.first, step.end, tile);
}

/// The factors of the macro block that a step lies in; the rows' contain the alpha of the residual.
/// Products of two FP16 numbers and an FP32 number have 46 significant bits at most.
void ExactRegion::set_factors(const GemmStep& step, const Tile& tile) {
  const GemmCorrections& corrections = gemm_.corrections_;
  const int64_t length = corrections.macro_length();
  const int64_t macro_block = length == 0 ? 0 : step.first * gemm_.format_.block / length;
  const auto factor_of = [&](const MacroFactors& factors, int64_t row) {
    return length == 0 ? 1.0 : double{*factors.of(macro_block, row)};
  };
  const bool is_residual = step.kind == GemmStep::Kind::kAddResidual;
  const double alpha = is_residual ? double{corrections.residual_alpha.value_or(1.0F)} : 1.0;
  for (int64_t row = 0; row < tile.rows; ++row) {
    row_factors_.at(static_cast<size_t>(row)) =
        alpha * factor_of(gemm_.a_factors_, tile.panel * kPanelRows + row);
  }
  for (int64_t column = 0; column < tile.columns; ++column) {
    column_factors_.at(static_cast<size_t>(column)) =
        factor_of(gemm_.b_factors_, tile.strip * kStripColumns + column);
  }
}

void ExactRegion::add(const LeftPanels& a, int64_t first, int64_t end, const Tile& tile) {
  const RightStrips& b = gemm_.decoded_->b;
  TileBlocks all{};
  all.a = a.elements(tile.panel, first);
  all.a_scales = a.scales(tile.panel, first);
  all.b = b.elements(tile.strip, first);
  all.b_scales = b.scales(tile.strip, first);
  all.b_start = b.starts(tile.strip, first);
  all.blocks = end - first;
  all.length = gemm_.format_.block;
  all.rows = static_cast<int>(tile.rows);
  for (int64_t block = 0; block < all.blocks;) {
    TileBlocks some = all.part(block, std::min(kBlocksAtOnce, all.blocks - block));
    if (!include(a, first + block, some, tile)) {
      flush(tile);
      if (!include(a, first + block, some, tile)) {
        some = all.part(block, 1);
        include(a, first + block, some, tile);
      }
    }
    kernels_.dots(some, dots_.data());
    add_to_exact_sums(some, dots_.data(), gemm_.target_, sums_.data());
    block += some.blocks;
  }
}

/// Takes the blocks, from the `first`-th of all on, into the run if it stays exact with them.
bool ExactRegion::include(const LeftPanels& a, int64_t first, const TileBlocks& blocks,
                          const Tile& tile) {
  const ScaleKind kind = gemm_.format_.scale;
  const NodeScales scales =
      node_scales(&a.range(tile.panel, first), &gemm_.decoded_->b.range(tile.strip, first),
                  blocks.blocks, kind);
  return run_.include(scales, blocks.blocks) ||
         run_.include(node_scales(blocks, kind, zero_of_a(kernels_.a_form, gemm_.format_.element)),
                      blocks.blocks);
}

void ExactRegion::flush(const Tile& tile) {
  if (run_.is_empty()) {
    return;
  }
  run_.clear();
  if (!is_wide_) {
    wide_sums_.assign(kTileOutputs, WideSum{});
    is_nan_.assign(kTileOutputs, 0);
    is_wide_ = true;
  }
  for (int64_t row = 0; row < tile.rows; ++row) {
    for (int64_t column = 0; column < tile.columns; ++column) {
      const auto i = static_cast<size_t>(row * kStripColumns + column);
      const double sum = sums_.data()[i];
      if (std::isnan(sum)) {
        is_nan_[i] = 1;
      } else {
        wide_sums_[i].add(sum, has_factors_ ? row_factors_[static_cast<size_t>(row)] *
                                                  column_factors_[static_cast<size_t>(column)]
                                            : 1.0);
      }
    }
  }
  std::fill_n(sums_.data(), kOutputs, 0.0);
}

void ExactRegion::finish_row(const Tile& tile, int64_t row, const float* starts,
                             float* results) const {
  if (gemm_.steps_.empty()) {
    std::copy_n(starts, kStripColumns, results);
    return;
  }
  const int64_t first = row * kStripColumns;
  if (!is_wide_) {
    round_exact_sums(sums_.data() + first, starts, gemm_.target_, results);
    return;
  }
  for (int64_t column = 0; column < tile.columns; ++column) {
    const auto i = static_cast<size_t>(first + column);
    if (is_nan_[i] != 0) {
      results[column] = bits_float(kFp32Nan);
    } else if (!std::isfinite(starts[column])) {
      results[column] = starts[column];
    } else {
      WideSum sum = wide_sums_[i];
      sum.add(double{starts[column]});
      results[column] = static_cast<float>(sum.rounded_to_odd());
    }
  }
}

}  // namespace nibblecore
