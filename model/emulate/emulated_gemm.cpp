// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/emulated_gemm.hpp"

#include <algorithm>
#include <string>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/parallel.hpp"
#include "model/emulate/bf16_stretch.hpp"
#include "model/emulate/exact_region.hpp"
#include "model/emulate/tile_region.hpp"

namespace nibblecore {
namespace {

/// Panels and strips of a region at most: what a stretch of K takes of both operands, and the
/// accumulators, fit a second-level cache together.
constexpr int64_t kRegionPanels = 6;
constexpr int64_t kRegionStrips = 16;
/// Regions for each thread at least, so that none waits long for the last.
constexpr int64_t kRegionsOfThread = 4;

const PackedMatrix& checked_left(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                                 const GemmCorrections& corrections, EmulatorTarget target) {
  if (!is_available(target)) {
    throw InternalError("target '" + std::string(name_of(target)) + "' is not available here");
  }
  if (a.format.element != b.format.element || a.format.scale != b.format.scale ||
      a.format.block != b.format.block) {
    throw InputError("GEMM operands", "A and B have different formats");
  }
  if (a.k != b.k) {
    throw InputError("GEMM operands",
                     "K is " + std::to_string(a.k) + " in A and " + std::to_string(b.k) + " in B");
  }
  require_format_of(policy, a.format);
  require_corrections_of(corrections, a, b, policy);
  return a;
}

/// How a result is cut into regions.
struct Regions {
  int64_t panels;  ///< of a region
  int64_t strips;
  int64_t down;  ///< regions along M
  int64_t across;

  int64_t count() const { return down * across; }
};

Regions cut(int64_t panels, int64_t strips, int64_t threads) {
  Regions regions{std::min(panels, kRegionPanels), std::min(strips, kRegionStrips), 0, 0};
  const auto count = [&] {
    regions.down = ceil_divide(panels, regions.panels);
    regions.across = ceil_divide(strips, regions.strips);
    return threads > 1 && regions.count() < kRegionsOfThread * threads;
  };
  while (count() && regions.panels * regions.strips > 1) {
    int64_t& longer = regions.panels >= regions.strips ? regions.panels : regions.strips;
    longer = ceil_divide(longer, 2);
  }
  return regions;
}

/// Whether the tile unit multiplies such blocks faster in BF16 than as integers. A block
/// of HiF4 fills its tiles as integers already.
bool is_for_bf16(Accumulation policy, const BlockFormat& format, EmulatorTarget target) {
  return target == EmulatorTarget::kAmx && policy == Accumulation::kFp32Rne &&
         format.element == ElementKind::kE2m1 && format.block <= kBf16TileElements;
}

}  // namespace

DecodedOperands::DecodedOperands(const GemmOperands& operands, EmulatorTarget target, int threads)
    : a(*operands.a, target, threads), b(*operands.b, target, threads) {
  ScaleRange left = a.range();
  if (operands.residual != nullptr) {
    residual.emplace(*operands.residual, target, threads);
    left.include(residual->range());
  }
  fits = fits_fp32(left, b.range());
}

EmulatedGemm::EmulatedGemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                           int threads, const GemmCorrections& corrections, EmulatorTarget target)
    : rows_(a.rows),
      columns_(b.rows),
      k_(a.k),
      format_(a.format),
      block_length_(a.format.block),
      policy_(policy),
      target_(target),
      alpha_(a.tensor_scale * b.tensor_scale),
      corrections_(corrections),
      operands_{&checked_left(a, b, policy, corrections, target), &b,
                corrections.residual == nullptr ? nullptr : &corrections.residual->matrix},
      adder_(policy == Accumulation::kExact ? nullptr : make_tile_adder(policy, a.format, target)) {
  int64_t longest = kLongestBf16Step;
  if (!is_for_bf16(policy, a.format, target) || !fit_bf16(operands_)) {
    longest = kLongestStep;
    decoded_ = std::make_unique<DecodedOperands>(operands_, target, threads);
  }
  steps_ = gemm_steps(corrections, a.blocks(), block_length_, longest / block_length_);
  if (const int64_t length = corrections.macro_length(); length > 0) {
    a_factors_ = MacroFactors(corrections.a_macro, rows_, k_, length, kPanelRows);
    b_factors_ = MacroFactors(corrections.b_macro, columns_, k_, length, kStripColumns);
  }
}

void EmulatedGemm::run(const uint32_t* c, uint32_t* d, int threads, uint8_t* truncation) const {
  if (rows_ == 0 || columns_ == 0) {
    return;
  }
  const int64_t workers = thread_count(threads);
  const int64_t panels = ceil_divide(rows_, kPanelRows);
  const int64_t strips = ceil_divide(columns_, kStripColumns);
  const Regions regions = cut(panels, strips, workers);
  // Some regions at a time, which share their buffers.
  const int64_t grain = std::max<int64_t>(1, regions.count() / (kRegionsOfThread * workers));
  const auto range = [&](int64_t i) {
    const int64_t first_panel = i % regions.down * regions.panels;
    const int64_t first_strip = i / regions.down * regions.strips;
    return TileRange{first_panel, std::min(regions.panels, panels - first_panel), first_strip,
                     std::min(regions.strips, strips - first_strip)};
  };
  parallel_for(regions.count(), grain, threads, [&](int64_t begin, int64_t end) {
    if (policy_ == Accumulation::kExact) {
      ExactRegion region(*this);
      for (int64_t i = begin; i < end; ++i) {
        region.compute(range(i), c, d, truncation);
      }
      return;
    }
    TileRegion region(*this);
    for (int64_t i = begin; i < end; ++i) {
      region.compute(range(i), i + 1 < end ? range(i + 1) : TileRange{}, c, d, truncation);
    }
  });
}

}  // namespace nibblecore
