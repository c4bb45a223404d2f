// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/truncating_adder.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/emulate/node_bounds.hpp"
#include "model/emulate/truncating_row.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kMostBlocks = 4;  // of a node

/// Exponents of blocks between which FP32 and FP64 have no ends to care for: block values are
/// multiples of 2^(kLowest - 8), and what the bounds let through stays below 2^127.
constexpr int kLowest = -100;
constexpr int kHighest = 80;

/// The largest spread at which the blocks of a node add up to an integer of 24 bits in units of
/// the lowest one: 64 * 144 * 2^10 < 2^24 under E8M0, 64 * 144 * 15^2 * 2^3 < 2^24 under UE4M3.
constexpr int kFp32SpreadE8m0 = 10;
constexpr int kFp32SpreadUe4m3 = 3;

}  // namespace

TruncatingAdder::TruncatingAdder(Accumulation policy, const BlockFormat& format,
                                 EmulatorTarget target)
    : rule_(truncating_rule(policy, format.scale)),
      kind_(format.scale),
      target_(target),
      kernels_(tile_kernels(target, format.block)),
      a_zero_(zero_of_a(kernels_.a_form, format.element)),
      least_power_(std::ldexp(1.0, least_scale_exponent(format.scale))) {}

void TruncatingAdder::add(const TileRun& run, float* accumulators, uint8_t* truncation) const {
  const int64_t blocks_of_node = rule_.width / run.blocks.length;
  for (int64_t first = 0; first < run.blocks.blocks; first += blocks_of_node) {
    const TileBlocks node =
        run.blocks.part(first, std::min(blocks_of_node, run.blocks.blocks - first));
    add_node(node, way_of(run, first, node), accumulators, truncation);
  }
}

/// A node is taken as a whole where its blocks alone lose nothing (`spread`) and accumulators of
/// some size do not, either: from 2^floor times the largest exponent of the row and the column to
/// 2^ceiling times the lowest of the output, which is at most `spread` less.
///
/// All that is added then fits FP64: block values are multiples of 2^(lowest - 8) and below
/// 2^(highest + 11) each (UE4M3; 2 and 12 under E8M0), and with an accumulator of exponent e,
/// highest - 12 <= e <= lowest + 33, the largest and the least bit of all lie less than 50 apart.
/// Blocks that are zero may have any lower exponent. Where an output has no others and its bound
/// falls below FP32's normal numbers, alignment keeps 2^-149, and with it every accumulator.
std::optional<TruncatingAdder::Way> TruncatingAdder::way_of(const NodeScales& scales) const {
  if (scales.lowest < kLowest || scales.highest > kHighest || scales.spread > rule_.spread) {
    return std::nullopt;
  }
  const int fp32_spread = kind_ == ScaleKind::kE8m0 ? kFp32SpreadE8m0 : kFp32SpreadUe4m3;
  return Way{scales.spread <= fp32_spread ? WholeSum::kFp32 : WholeSum::kFp64, scales.spread};
}

std::optional<TruncatingAdder::Way> TruncatingAdder::way_of(const TileRun& run, int64_t first,
                                                            const TileBlocks& node) const {
  const std::optional<Way> way =
      way_of(node_scales(run.a_ranges + first, run.b_ranges + first, node.blocks, kind_));
  return way ? way : way_of(node_scales(node, kind_, a_zero_));
}

void TruncatingAdder::add_node(const TileBlocks& node, const std::optional<Way>& way,
                               float* accumulators, uint8_t* truncation) const {
  uint64_t rows_left = (uint64_t{1} << node.rows) - 1;
  if (way) {
    alignas(64) std::array<int32_t, kMostBlocks * kTileOutputs> dots;
    NodeBounds bounds;
    kernels_.dots(node, dots.data());
    find_bounds(node, kind_, rule_.bounds, way->spread, target_, bounds);
    add_whole_node({node, dots.data(), bounds, accumulators, truncation, &rows_left}, way->sum,
                   target_);
  }
  for (; rows_left != 0; rows_left &= rows_left - 1) {
    add_row(node, __builtin_ctzll(rows_left), accumulators, truncation);
  }
}

void TruncatingAdder::add_row(const TileBlocks& node, int64_t row, float* accumulators,
                              uint8_t* truncation) const {
  TruncatingTerms terms;
  make_terms(rule_, node, row, a_zero_, target_, terms);
  const int64_t index = row * kStripColumns;
  add_truncated({rule_, terms, node.a_scales + row, node.b_scales, least_power_,
                 accumulators + index, truncation == nullptr ? nullptr : truncation + index},
                target_);
}

}  // namespace nibblecore
