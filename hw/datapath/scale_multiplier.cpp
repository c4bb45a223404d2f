// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/scale_multiplier.hpp"

#include <cstring>

#include "hw/datapath/e8m0_scale.hpp"
#include "hw/datapath/hif4_scale.hpp"
#include "hw/datapath/simd_dispatch.hpp"
#include "hw/datapath/ue4m3_scale.hpp"
#include "hw/datapath/width.hpp"

namespace nibblecore::hw {
namespace {

/// The scales of one block of every lane; the slice holds [lanes, blocks].
struct BlockScales {
  const ScaleSlice& slice;
  int lanes;
  int blocks;
  int block;
};

template <class Fields>
void take_apart(const BlockScales& scales, Fields fields, ScaleLanes& result) {
  const uint8_t* code = scales.slice.scales.data() + scales.block;
  for (int lane = 0; lane < scales.lanes; ++lane, code += scales.blocks) {
    result.set(static_cast<size_t>(lane), fields(*code));
  }
}

void take_apart(ScaleKind kind, const BlockScales& scales, ScaleLanes& result) {
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

struct Block {
  const ScaleLanes& a;
  const ScaleLanes& b;
  ptrdiff_t rows;
  int32_t* significands;  ///< [rows, padded columns]
  int32_t* exponents;
  int32_t* nan;
};

/// OR of the magnitudes on each bus.
struct Widths {
  uint32_t significands;
  uint32_t exponents;
};

struct MultiplyBlock {
  [[gnu::always_inline]] static Widths run(const Block& block) {
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
        const Int32Lanes significand =
            a_significands[in][lane] * block.b.significands.data()[group];
        const Int32Lanes exponent = a_exponents[in][lane] + block.b.exponents.data()[group];
        const Int32Lanes nan = a_nan[in][lane] | block.b.nan.data()[group];
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

ScaleMultiplier::ScaleMultiplier(const CoreDescription& core, SimdTarget target)
    : core_(core), target_(target), a_(core.rows), b_(core.columns) {}

void ScaleMultiplier::multiply(const BlockFormat& format, const ScaleSlice& a, const ScaleSlice& b,
                               ScaleProducts& result) {
  const int blocks = core_.depth / format.block;
  for (int block = 0; block < blocks; ++block) {
    take_apart(format.scale, {a, core_.rows, blocks, block}, a_);
    take_apart(format.scale, {b, core_.columns, blocks, block}, b_);
    multiply_block(block, result);
  }
}

void ScaleMultiplier::multiply_block(int block, ScaleProducts& result) const {
  const ptrdiff_t first = ptrdiff_t{block} * core_.rows * padded_lanes(core_.columns);
  const Widths widths = run_on<MultiplyBlock>(
      target_, Block{a_, b_, core_.rows, result.significands.data() + first,
                     result.exponents.data() + first, result.nan.data() + first});
  require_united_width(kScaleSignificand, widths.significands);
  require_united_width(kScaleExponent, widths.exponents);
}

}  // namespace nibblecore::hw
