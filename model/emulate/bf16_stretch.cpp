// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/bf16_stretch.hpp"

#include <algorithm>

#include "model/common/checked.hpp"
#include "model/emulate/amx_bf16_kernel.hpp"
#include "model/emulate/bf16_elements.hpp"
#include "model/emulate/tile_shape.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kUnitsOfPanel = kPanelRows / kBf16TileRows;
constexpr int64_t kHalvesOfStrip = kStripColumns / kBf16TileRows;

bool is_addition(const GemmStep& step) {
  return step.kind == GemmStep::Kind::kAddA || step.kind == GemmStep::Kind::kAddResidual;
}

}  // namespace

bool fit_bf16(const GemmOperands& operands) {
  ScaleRange left = range_of_elements(*operands.a);
  if (operands.residual != nullptr) {
    left.include(range_of_elements(*operands.residual));
  }
  return fits_bf16(left, range_of_elements(*operands.b));
}

size_t Bf16Stretch::end_of_stretch(const std::vector<GemmStep>& steps, size_t first) const {
  size_t end = first;
  int64_t k = 0;
  for (; end < steps.size() && is_addition(steps[end]) && steps[end].to == steps[first].to; ++end) {
    k += (steps[end].end - steps[end].first) * operands_.a->format.block;
    if (k > kLongestBf16Step) {
      break;
    }
  }
  return end;
}

void Bf16Stretch::add(const std::vector<GemmStep>& steps, size_t first, size_t end,
                      const TileRange& range, float* accumulators) {
  left_.count = 0;
  right_.count = 0;
  for (; first < end; ++first) {
    const GemmStep& step = steps[first];
    const PackedMatrix* const left =
        step.kind == GemmStep::Kind::kAddA ? operands_.a : operands_.residual;
    for (int64_t block = step.first; block < step.end; ++block) {
      left_.blocks.at(static_cast<size_t>(left_.count++)) = {left, block};
      right_.blocks.at(static_cast<size_t>(right_.count++)) = {operands_.b, block};
    }
  }
  decode(range);
  for (int64_t strip = 0; strip < range.strips; ++strip) {
    add_bf16_strip({left_elements_.data(),
                    right_elements_.data() + strip * kHalvesOfStrip * tiles_ * kBf16TileSize,
                    units_, tiles_, operands_.a->format.block},
                   accumulators + strip * range.panels * static_cast<int64_t>(kTileOutputs));
  }
}

void Bf16Stretch::decode(const TileRange& range) {
  constexpr int64_t elements = kBf16Tiles * kBf16TileSize;
  if (range.panels > panels_) {
    panels_ = range.panels;
    left_elements_ = AlignedBuffer<uint16_t>(panels_ * kUnitsOfPanel * elements +
                                             kBf16TilesOfTurn * kBf16TileSize);
  }
  if (range.strips > strips_) {
    strips_ = range.strips;
    right_elements_ = AlignedBuffer<uint16_t>(strips_ * kHalvesOfStrip * elements);
  }
  const int64_t k = left_.count * operands_.a->format.block;
  tiles_ = ceil_divide(k, kBf16TileElements * kBf16TilesOfTurn) * kBf16TilesOfTurn;
  const int64_t first_row = range.first_panel * kPanelRows;
  const int64_t rows = std::min(range.panels * kPanelRows, operands_.a->rows - first_row);
  units_ = ceil_divide(rows, kBf16TileRows);
  for (int64_t unit = 0; unit < units_; ++unit) {
    expand_left(left_, first_row + unit * kBf16TileRows, tiles_,
                left_elements_.data() + unit * tiles_ * kBf16TileSize);
  }
  for (int64_t half = 0; half < range.strips * kHalvesOfStrip; ++half) {
    expand_right(right_, range.first_strip * kStripColumns + half * kBf16TileRows, tiles_,
                 right_elements_.data() + half * tiles_ * kBf16TileSize);
  }
}

}  // namespace nibblecore
