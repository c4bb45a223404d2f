// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/scale_multiplier.hpp"

#include <cstring>

#include "hw/datapath/e8m0_scale.hpp"
#include "hw/datapath/hif4_scale.hpp"
#include "hw/datapath/simd_dispatch.hpp"
#include "hw/datapath/step_blocks.hpp"
#include "hw/datapath/ue4m3_scale.hpp"
#include "hw/datapath/width.hpp"

namespace nibblecore::hw {
namespace {

/// The buses of one operand's scales.
struct ScaleSites {
  Site code;
  Site significand;
  Site exponent;
  Site nan;
};
constexpr ScaleSites kASites{Site::kAScale, Site::kAScaleSignificand, Site::kAScaleExponent,
                             Site::kAScaleNan};
constexpr ScaleSites kBSites{Site::kBScale, Site::kBScaleSignificand, Site::kBScaleExponent,
                             Site::kBScaleNan};

/// The scales of one block of every lane; the slice holds [lanes, stride].
template <class Hooks>
struct BlockScales {
  const ScaleSlice& slice;
  int lanes;
  int stride;
  int block;
  const ScaleSites& sites;
  Hooks hooks;
};

template <class Hooks, class Fields>
void take_apart(const BlockScales<Hooks>& scales, Fields fields, ScaleLanes& result) {
  const uint8_t* from = scales.slice.scales.data() + scales.block;
  for (int lane = 0; lane < scales.lanes; ++lane, from += scales.stride) {
    const int64_t index = int64_t{scales.block} * scales.lanes + lane;
    uint8_t code = *from;
    scales.hooks.value(scales.sites.code, index, code);
    ScaleFactor scale = fields(code);
    scales.hooks.value(scales.sites.significand, index, scale.significand);
    scales.hooks.value(scales.sites.exponent, index, scale.exponent);
    scales.hooks.value(scales.sites.nan, index, scale.is_nan);
    result.set(static_cast<size_t>(lane), scale);
  }
}

template <class Hooks>
void take_apart(ScaleKind kind, const BlockScales<Hooks>& scales, ScaleLanes& result) {
  switch (kind) {
    case ScaleKind::kE8m0:
      return take_apart(
          scales, [](uint8_t code) { return e8m0_fields(code); }, result);
    case ScaleKind::kUe4m3:
      return take_apart(
          scales, [](uint8_t code) { return ue4m3_fields(code); }, result);
    case ScaleKind::kHif4:
      return take_apart(
          scales, [](uint8_t code) { return hif4_fields(code); }, result);
  }
  throw InternalError("unknown kind of scale");
}

template <class Hooks>
struct Block {
  const ScaleLanes& a;
  const ScaleLanes& b;
  ptrdiff_t rows;
  ptrdiff_t columns;
  ptrdiff_t block;
  int32_t* significands;  ///< [rows, padded columns]
  int32_t* exponents;
  int32_t* nan;
  Hooks hooks;
};

/// OR of the magnitudes on each bus.
struct Widths {
  uint32_t significands;
  uint32_t exponents;
};

struct MultiplyBlock {
  template <class Hooks>
  [[gnu::always_inline]] static Widths run(const Block<Hooks>& block) {
    const Int32Lanes* a_significands = block.a.significands.data();
    const Int32Lanes* a_exponents = block.a.exponents.data();
    const Int32Lanes* a_nan = block.a.nan.data();
    const auto groups = static_cast<ptrdiff_t>(block.b.significands.size());
    Int32Lanes united_significands{};
    Int32Lanes united_exponents{};
    ptrdiff_t out = 0;
    for (ptrdiff_t row = 0; row < block.rows; ++row) {
      const ptrdiff_t in = row / kLanes;
      const ptrdiff_t lane = row % kLanes;
      for (ptrdiff_t group = 0; group < groups; ++group, out += kLanes) {
        const ArrayTap<Hooks> tap{block.hooks, block.rows, block.columns, row, group * kLanes, 0};
        Int32Lanes significand = a_significands[in][lane] * block.b.significands.data()[group];
        Int32Lanes exponent = a_exponents[in][lane] + block.b.exponents.data()[group];
        Int32Lanes nan = a_nan[in][lane] | block.b.nan.data()[group];
        tap.bus(Site::kScaleSignificand, block.block, significand);
        tap.bus(Site::kScaleExponent, block.block, exponent);
        tap.bus(Site::kScaleNan, block.block, nan);
        unite_magnitudes(significand, united_significands);
        unite_magnitudes(exponent, united_exponents);
        std::memcpy(block.significands + out, &significand, sizeof significand);
        std::memcpy(block.exponents + out, &exponent, sizeof exponent);
        std::memcpy(block.nan + out, &nan, sizeof nan);
      }
    }
    return {united_lanes(united_significands), united_lanes(united_exponents)};
  }
};

}  // namespace

template <class Hooks>
BasicScaleMultiplier<Hooks>::BasicScaleMultiplier(const CoreDescription& core, SimdTarget target,
                                                  Hooks hooks)
    : core_(core), target_(target), hooks_(hooks), a_(core.rows), b_(core.columns) {}

template <class Hooks>
void BasicScaleMultiplier<Hooks>::multiply(const BlockFormat& format, const ScaleSlice& a,
                                           const ScaleSlice& b, ScaleProducts& result) {
  const int stride = most_blocks(core_.depth);
  const StepBlocks blocks = step_blocks(a.tag, core_.depth / format.block);
  for (int block = 0; block < blocks.dense + blocks.sparse; ++block) {
    const int b_block = block < blocks.dense ? block : block - blocks.dense;
    take_apart<Hooks>(format.scale, {a, core_.rows, stride, block, kASites, hooks_}, a_);
    take_apart<Hooks>(format.scale, {b, core_.columns, stride, b_block, kBSites, hooks_}, b_);
    multiply_block(block, result);
  }
}

template <class Hooks>
void BasicScaleMultiplier<Hooks>::multiply_block(int block, ScaleProducts& result) const {
  const ptrdiff_t first = ptrdiff_t{block} * core_.rows * padded_lanes(core_.columns);
  const Widths widths = run_on<MultiplyBlock>(
      target_,
      Block<Hooks>{a_, b_, core_.rows, core_.columns, block, result.significands.data() + first,
                   result.exponents.data() + first, result.nan.data() + first, hooks_});
  require_united_width(kScaleSignificand, widths.significands);
  require_united_width(kScaleExponent, widths.exponents);
}

template class BasicScaleMultiplier<NoHooks>;
template class BasicScaleMultiplier<ProbeHooks>;

}  // namespace nibblecore::hw
