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

/// Between these exponents every product of the two scales and a dot is an FP32 number.
constexpr int kLowest = -140;
constexpr int kHighest = 110;

}  // namespace

FusedAdder::FusedAdder(const BlockFormat& format, EmulatorTarget target)
    : kind_(format.scale),
      target_(target),
      kernels_(tile_kernels(target, format.block)),
      a_zero_(zero_of_a(kernels_.a_form, format.element)) {}

void FusedAdder::add(const TileRun& run, float* accumulators, uint8_t* /*truncation*/) const {
  const int64_t blocks_of_step = kFusedWidth / run.blocks.length;
  alignas(64) std::array<int32_t, kMostBlocks * kTileOutputs> dots;
  for (int64_t first = 0; first < run.blocks.blocks; first += blocks_of_step) {
    const TileBlocks node =
        run.blocks.part(first, std::min(blocks_of_step, run.blocks.blocks - first));
    kernels_.dots(node, dots.data());
    add_fused_node({node, dots.data(), accumulators}, sum_of(run, first, node), target_);
  }
}

FusedSum FusedAdder::sum_of(const NodeScales& scales) const {
  const int fp32_spread = kind_ == ScaleKind::kE8m0 ? kFp32SpreadE8m0 : kFp32SpreadUe4m3;
  if (scales.lowest >= kLowest && scales.highest <= kHighest && scales.spread <= fp32_spread) {
    return FusedSum::kFp32;
  }
  return scales.spread <= kFp64Spread ? FusedSum::kFp64 : FusedSum::kWide;
}

FusedSum FusedAdder::sum_of(const TileRun& run, int64_t first, const TileBlocks& node) const {
  const FusedSum sum =
      sum_of(node_scales(run.a_ranges + first, run.b_ranges + first, node.blocks, kind_));
  return sum != FusedSum::kWide ? sum : sum_of(node_scales(node, kind_, a_zero_));
}

}  // namespace nibblecore
