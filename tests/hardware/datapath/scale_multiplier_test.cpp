// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/scale_multiplier.hpp"

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/datapath/e8m0_scale.hpp"
#include "hw/datapath/hif4_scale.hpp"
#include "hw/datapath/ue4m3_scale.hpp"
#include "tests/hardware/datapath/available_targets.hpp"

namespace nibblecore::hw {
namespace {

ScaleFactor fields_of(ScaleKind kind, uint8_t code) {
  return kind == ScaleKind::kE8m0    ? e8m0_fields(code)
         : kind == ScaleKind::kUe4m3 ? ue4m3_fields(code)
                                     : hif4_fields(code);
}

/// Runs a step and compares every output of every block with the scalar product of the fields.
void check(const CoreDescription& core, const BlockFormat& format, const ScaleSlice& a,
           const ScaleSlice& b, SimdTarget target) {
  ScaleMultiplier multiplier(core, target);
  ScaleProducts products(core);
  multiplier.multiply(format, a, b, products);
  const size_t blocks = static_cast<size_t>(core.depth) / format.block;
  const auto rows = static_cast<size_t>(core.rows);
  const auto columns = static_cast<size_t>(core.columns);
  const auto stride = static_cast<size_t>(padded_lanes(core.columns));
  for (size_t out = 0; out < blocks * rows * stride; ++out) {
    const size_t block = out / stride / rows;
    const size_t i = out / stride % rows;
    const size_t j = out % stride;
    if (j < columns) {
      const ScaleFactor expected = multiply(fields_of(format.scale, a.scales[i * blocks + block]),
                                            fields_of(format.scale, b.scales[j * blocks + block]));
      ASSERT_EQ(products.significands[out], expected.significand);
      ASSERT_EQ(products.exponents[out], expected.exponent);
      ASSERT_EQ(products.nan[out] != 0, expected.is_nan);
    }
  }
}

TEST(ScaleMultiplier, EveryPairOfCodesOnEveryTarget) {
  constexpr CoreDescription kCore{"", 16, 16, 64, ""};
  constexpr BlockFormat kE8m0Block64{"", ElementKind::kE2m1, ScaleKind::kE8m0, 64};
  constexpr BlockFormat kUe4m3Block64{"", ElementKind::kE2m1, ScaleKind::kUe4m3, 64};
  for (const SimdTarget target : test::available_targets()) {
    for (const BlockFormat& format : {kE8m0Block64, kUe4m3Block64, kHif4}) {
      for (int pair = 0; pair < 256; ++pair) {
        ScaleSlice a(16, 64);
        ScaleSlice b(16, 64);
        for (int lane = 0; lane < 16; ++lane) {
          a.scales[static_cast<size_t>(lane)] = static_cast<uint8_t>(pair / 16 * 16 + lane);
          b.scales[static_cast<size_t>(lane)] = static_cast<uint8_t>(pair % 16 * 16 + lane);
        }
        check(kCore, format, a, b, target);
      }
    }
  }
}

TEST(ScaleMultiplier, OddShapesAndSeveralBlocksAStep) {
  constexpr std::array<CoreDescription, 4> kShapes{
      {{"", 5, 17, 128, ""}, {"", 17, 5, 64, ""}, {"", 1, 33, 64, ""}, {"", 16, 16, 64, ""}}};
  std::mt19937 random(14);
  for (const CoreDescription& core : kShapes) {
    for (const BlockFormat& format : kBlockFormats) {
      ScaleSlice a(core.rows, core.depth);
      ScaleSlice b(core.columns, core.depth);
      for (ScaleSlice* slice : {&a, &b}) {
        for (uint8_t& code : slice->scales) {
          code = static_cast<uint8_t>(random());
        }
      }
      for (const SimdTarget target : test::available_targets()) {
        check(core, format, a, b, target);
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore::hw
