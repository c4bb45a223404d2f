// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/tile_region.hpp"

#include <algorithm>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/emulate/macro_epilogue.hpp"
#include "model/emulate/multiply_add.hpp"
#include "model/emulate/result_row.hpp"
#include "model/emulate/truncating_rule.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore {

TileRegion::TileRegion(const EmulatedGemm& gemm) : gemm_(gemm) {
  if (gemm.is_in_bf16()) {
    bf16_.emplace(gemm.operands_);
  }
}

void TileRegion::compute(const TileRange& range, const TileRange& following, const uint32_t* c,
                         uint32_t* d, uint8_t* truncation) {
  reserve(range, truncation);
  for_each_tile(range, [&](const Tile& tile) { clear(tile); });
  if (c != nullptr) {
    for_each_row(range, [&](const Tile& tile, int64_t row) { load_row(tile, row, c); });
  }
  for (size_t first = 0; first < gemm_.steps_.size();) {
    first = bf16_ ? add_bf16_stretch(range, first) : add_stretch(range, following, first);
  }
  store(range, d, truncation);
}

/// Adds the stretch of K that begins with step `first`; the first step behind it.
size_t TileRegion::add_stretch(const TileRange& range, const TileRange& following, size_t first) {
  const std::vector<GemmStep>& steps = gemm_.steps_;
  const size_t end = end_of_stretch(first);
  const bool is_last = end == steps.size();
  for_each_tile(range, [&](const Tile& tile) {
    Ahead ahead = ahead_of(is_last ? following : range, steps[is_last ? 0 : end], tile.index);
    for (size_t i = first; i < end; ++i) {
      perform(steps[i], tile, ahead);
    }
  });
  return end;
}

/// The same with operands that are decoded meanwhile.
size_t TileRegion::add_bf16_stretch(const TileRange& range, size_t first) {
  const std::vector<GemmStep>& steps = gemm_.steps_;
  const size_t end = bf16_->end_of_stretch(steps, first);
  if (end > first) {
    bf16_->add(steps, first, end, range, planes_.at(static_cast<size_t>(steps[first].to)).data());
    return end;
  }
  for_each_tile(range, [&](const Tile& tile) {
    Ahead none;
    perform(steps[first], tile, none);
  });
  return first + 1;
}

/// Behind the last step of the stretch of K that begins with step `first`.
size_t TileRegion::end_of_stretch(size_t first) const {
  const std::vector<GemmStep>& steps = gemm_.steps_;
  int64_t k = 0;
  for (; first < steps.size() && k < kLongestStep; ++first) {
    k += (steps[first].end - steps[first].first) * gemm_.block_length_;
  }
  return first;
}

/// What the next stretch needs of a panel or a strip: each of the first tiles of this stretch
/// fetches one.
TileRegion::Ahead TileRegion::ahead_of(const TileRange& range, const GemmStep& next,
                                       int64_t index) const {
  const int64_t blocks = next.end - next.first;
  if (next.kind != GemmStep::Kind::kAddA || index >= range.panels + range.strips) {
    return {};
  }
  if (index < range.panels) {
    return {gemm_.decoded_->a.elements(range.first_panel + index, next.first),
            blocks * gemm_.block_length_ * kPanelRows};
  }
  const int8_t* strip =
      gemm_.decoded_->b.elements(range.first_strip + index - range.panels, next.first);
  return {reinterpret_cast<const uint8_t*>(strip), blocks * gemm_.block_length_ * kStripColumns};
}

/// Calls body(tile): panels vary fastest, so that a strip of B serves them one after the other.
template <class Body>
void TileRegion::for_each_tile(const TileRange& range, const Body& body) const {
  int64_t index = 0;
  for (int64_t strip = 0; strip < range.strips; ++strip) {
    for (int64_t panel = 0; panel < range.panels; ++panel) {
      body(Tile{range.first_panel + panel, range.first_strip + strip, index++});
    }
  }
}

/// Calls body(tile, row within the tile), along whole rows of the range: neighbours in C and D lie
/// in one page, and its address is looked up once.
template <class Body>
void TileRegion::for_each_row(const TileRange& range, const Body& body) const {
  for (int64_t panel = 0; panel < range.panels; ++panel) {
    const int64_t rows = rows_of(Tile{range.first_panel + panel, range.first_strip, 0});
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t strip = 0; strip < range.strips; ++strip) {
        body(Tile{range.first_panel + panel, range.first_strip + strip,
                  strip * range.panels + panel},
             row);
      }
    }
  }
}

/// Where the outputs of a row of a tile begin in C and D.
int64_t TileRegion::place_of(const Tile& tile, int64_t row) const {
  return (tile.panel * kPanelRows + row) * gemm_.columns_ + tile.strip * kStripColumns;
}

int64_t TileRegion::rows_of(const Tile& tile) const {
  return std::min<int64_t>(kPanelRows, gemm_.rows_ - tile.panel * kPanelRows);
}

int64_t TileRegion::columns_of(const Tile& tile) const {
  return std::min<int64_t>(kStripColumns, gemm_.columns_ - tile.strip * kStripColumns);
}

void TileRegion::reserve(const TileRange& range, const uint8_t* truncation) {
  if (range.tiles() <= capacity_) {
    return;
  }
  capacity_ = range.tiles();
  const int64_t outputs = capacity_ * static_cast<int64_t>(kTileOutputs);
  row_ = AlignedBuffer<uint32_t>(capacity_ * kStripColumns);
  for (size_t i = 0; i < kTilePlanes; ++i) {
    if (is_used(static_cast<TilePlane>(i))) {
      planes_.at(i) = AlignedBuffer<float>(outputs);
    }
  }
  if (truncation != nullptr) {
    truncation_ = AlignedBuffer<uint8_t>(outputs);
  }
}

bool TileRegion::is_used(TilePlane plane) const {
  const bool has_macro = gemm_.corrections_.macro_length() > 0;
  const bool has_own_residual = gemm_.corrections_.residual_alpha.has_value();
  switch (plane) {
    case TilePlane::kResult:
      return true;
    case TilePlane::kMacroSum:
      return has_macro;
    case TilePlane::kResidual:
      return has_own_residual;
    case TilePlane::kResidualMacroSum:
      return has_macro && has_own_residual;
  }
  throw InternalError("unknown plane of a tile");
}

float* TileRegion::plane(TilePlane plane, const Tile& tile) {
  return planes_.at(static_cast<size_t>(plane)).data() +
         tile.index * static_cast<int64_t>(kTileOutputs);
}

uint8_t* TileRegion::lost_bits(const Tile& tile) {
  return truncation_.data() + tile.index * static_cast<int64_t>(kTileOutputs);
}

void TileRegion::clear(const Tile& tile) {
  for (size_t i = 0; i < kTilePlanes; ++i) {
    if (is_used(static_cast<TilePlane>(i))) {
      std::fill_n(plane(static_cast<TilePlane>(i), tile), kTileOutputs, 0.0F);
    }
  }
  if (truncation_.data() != nullptr) {
    std::fill_n(lost_bits(tile), kTileOutputs, uint8_t{0});
  }
}

void TileRegion::load_row(const Tile& tile, int64_t row, const uint32_t* c) {
  const int64_t first = row * kStripColumns;
  float* result = plane(TilePlane::kResult, tile) + first;
  uint8_t* lost = truncation_.data() == nullptr ? nullptr : lost_bits(tile) + first;
  const uint32_t* from = c + place_of(tile, row);
  const bool keeps_zero_sign = gemm_.steps_.empty() || gemm_.corrections_.macro_length() > 0;
  const int64_t columns = columns_of(tile);
  for (int64_t i = 0; i < columns; ++i) {
    const float start = bits_float(from[i]);
    // A negative dot under a zero scale multiplies to -0, which would leave an accumulator of -0 as
    // it is, though the sum of two zeros must be +0. Adding +0 first is no rounding, and later
    // accumulators are -0 only where a sum was rounded to it: under E8M0, which has no zero. An
    // epilogue, however, keeps a common sign of two zeros.
    result[i] = keeps_zero_sign ? start : start + 0.0F;
    if (lost != nullptr && !fp32_is_finite(from[i])) {
      lost[i] = kUntold;
    }
  }
}

/// Writes what truncation took from a row of a tile to its place.
void TileRegion::tell_truncation(const Tile& tile, int64_t row, uint8_t* truncation) {
  const uint8_t* lost = lost_bits(tile) + row * kStripColumns;
  const int64_t columns = columns_of(tile);
  for (int64_t i = 0; i < columns; ++i) {
    truncation[place_of(tile, row) + i] = (lost[i] & kUntold) != 0 ? uint8_t{0} : lost[i];
  }
}

/// Writes a whole row of the range: neighbours in D, in one go.
void TileRegion::store_row(const TileRange& range, int64_t panel, int64_t row, StoreKind kind,
                           uint32_t* d) {
  const Tile first{range.first_panel + panel, range.first_strip, panel};
  finish_results({plane(TilePlane::kResult, first) + row * kStripColumns,
                  range.panels * static_cast<std::ptrdiff_t>(kTileOutputs), range.strips,
                  gemm_.alpha_, nan_of(gemm_.policy_)},
                 gemm_.target_, row_.data());
  const int64_t columns =
      std::min(range.strips * kStripColumns, gemm_.columns_ - range.first_strip * kStripColumns);
  store_results(row_.data(), columns, kind, d + place_of(first, row));
}

void TileRegion::store(const TileRange& range, uint32_t* d, uint8_t* truncation) {
  const StoreKind kind = store_kind_of(gemm_.rows_ * gemm_.columns_);
  for (int64_t panel = 0; panel < range.panels; ++panel) {
    const int64_t rows = rows_of(Tile{range.first_panel + panel, range.first_strip, 0});
    for (int64_t row = 0; row < rows; ++row) {
      store_row(range, panel, row, kind, d);
    }
  }
  finish_stores();
  if (truncation != nullptr) {
    for_each_row(range,
                 [&](const Tile& tile, int64_t row) { tell_truncation(tile, row, truncation); });
  }
}

void TileRegion::perform(const GemmStep& step, const Tile& tile, Ahead& ahead) {
  switch (step.kind) {
    case GemmStep::Kind::kAddA:
      return add(gemm_.decoded_->a, step, tile, ahead);
    case GemmStep::Kind::kAddResidual:
      return add(*gemm_.decoded_->residual, step, tile, ahead);
    case GemmStep::Kind::kTakeIn:
      return take_in(step, tile);
    case GemmStep::Kind::kAddPlanes:
      return add_planes(tile);
  }
}

void TileRegion::add(const LeftPanels& a, const GemmStep& step, const Tile& tile, Ahead& ahead) {
  const RightStrips& b = gemm_.decoded_->b;
  TileRun run{};
  run.blocks.a = a.elements(tile.panel, step.first);
  run.blocks.a_scales = a.scales(tile.panel, step.first);
  run.blocks.b = b.elements(tile.strip, step.first);
  run.blocks.b_scales = b.scales(tile.strip, step.first);
  run.blocks.b_start = b.starts(tile.strip, step.first);
  run.blocks.blocks = step.end - step.first;
  run.blocks.length = gemm_.block_length_;
  run.blocks.rows = static_cast<int>(rows_of(tile));
  run.blocks.ahead = ahead.memory;
  run.blocks.ahead_bytes = ahead.bytes;
  ahead = {};
  run.a_ranges = &a.range(tile.panel, step.first);
  run.b_ranges = &b.range(tile.strip, step.first);
  run.fits = gemm_.decoded_->fits;
  gemm_.adder_->add(run, plane(step.to, tile),
                    truncation_.data() == nullptr ? nullptr : lost_bits(tile));
}

void TileRegion::take_in(const GemmStep& step, const Tile& tile) {
  take_in_macro_block({gemm_.a_factors_.of(step.first, tile.panel * kPanelRows),
                       gemm_.b_factors_.of(step.first, tile.strip * kStripColumns), rows_of(tile),
                       plane(step.from, tile), plane(step.to, tile)},
                      gemm_.corrections_.epilogue, gemm_.target_);
}

void TileRegion::add_planes(const Tile& tile) {
  const float alpha = *gemm_.corrections_.residual_alpha;
  const float* residual = plane(TilePlane::kResidual, tile);
  float* result = plane(TilePlane::kResult, tile);
  for (size_t i = 0; i < kTileOutputs; ++i) {
    result[i] = multiply_add(residual[i], alpha, result[i]);
  }
}

}  // namespace nibblecore
