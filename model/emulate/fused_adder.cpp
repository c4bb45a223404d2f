// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/fused_adder.hpp"

#include <algorithm>
#include <array>

#include "model/formats/accumulation.hpp"

namespace nibblecore {
namespace {

constexpr size_t kMostBlocks = 4;  // of a step

/// The largest spreads at which the blocks of a step add up to an integer of 24 bits, or of 53, in
/// units of the lowest one: 64 * 144 < 2^14 under E8M0, 64 * 144 * 15^2 < 2^21 under UE4M3, whose
/// spread is 28 at most.
constexpr int kFp32SpreadE8m0 = 10;
constexpr int kFp32SpreadUe4m3 = 3;
constexpr int kFp64Spread = 53 - 14;
static_assert(28 + 21 <= 53);

/// With an accumulator within these bounds, of exponent e, the sum is an FP64 number as well: it is
/// a multiple of 2^(lowest - 8) and of 2^(e - 23), the blocks are below 2^(highest + 13), and
/// highest - 16 <= e <= lowest + 43.
constexpr BoundsRule kExactBounds{-16, 44};
constexpr int kMostSpread = 31;

/// Whether the ends of FP32 are far from every block value and every bound.
bool lies_deep(const NodeScales& scales) { return scales.lowest >= -100 && scales.highest <= 80; }

}  // namespace

FusedAdder::FusedAdder(const BlockFormat& format, EmulatorTarget target)
    : kind_(format.scale),
      target_(target),
      kernels_(tile_kernels(target, format.block)),
      a_zero_(zero_of_a(kernels_.a_form, format.element)) {}

void FusedAdder::add(const TileRun& run, float* accumulators, uint8_t* /*truncation*/) const {
  const int64_t blocks_of_step = kFusedWidth / run.blocks.length;
  for (int64_t first = 0; first < run.blocks.blocks; first += blocks_of_step) {
    const TileBlocks node =
        run.blocks.part(first, std::min(blocks_of_step, run.blocks.blocks - first));
    add_step(node, scales_of(run, first, node), accumulators);
  }
}

void FusedAdder::add_step(const TileBlocks& node, const NodeScales& scales,
                          float* accumulators) const {
  alignas(64) std::array<int32_t, kMostBlocks * kTileOutputs> dots;
  kernels_.dots(node, dots.data());
  const FusedSum sum = sum_of(scales);
  NodeBounds bounds;
  const bool has_bounds =
      sum == FusedSum::kFp64 && lies_deep(scales) && scales.spread <= kMostSpread;
  if (has_bounds) {
    find_bounds(node, kind_, kExactBounds, scales.spread, target_, bounds);
  }
  add_fused_node({node, dots.data(), has_bounds ? &bounds : nullptr, accumulators}, sum, target_);
}

FusedSum FusedAdder::sum_of(const NodeScales& scales) const {
  const int fp32_spread = kind_ == ScaleKind::kE8m0 ? kFp32SpreadE8m0 : kFp32SpreadUe4m3;
  if (lies_deep(scales) && scales.spread <= fp32_spread) {
    return FusedSum::kFp32;
  }
  return scales.spread <= kFp64Spread ? FusedSum::kFp64 : FusedSum::kWide;
}

NodeScales FusedAdder::scales_of(const TileRun& run, int64_t first, const TileBlocks& node) const {
  const NodeScales scales =
      node_scales(run.a_ranges + first, run.b_ranges + first, node.blocks, kind_);
  return sum_of(scales) != FusedSum::kWide ? scales : node_scales(node, kind_, a_zero_);
}

}  // namespace nibblecore
