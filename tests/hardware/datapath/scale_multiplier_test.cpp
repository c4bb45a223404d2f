// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/scale_multiplier.hpp"

#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/datapath/e8m0_scale.hpp"
#include "hw/datapath/hif4_scale.hpp"
#include "hw/datapath/ue4m3_scale.hpp"
#include "model/common/error.hpp"
#include "tests/hardware/datapath/available_targets.hpp"
#include "tests/hardware/datapath/step_kinds.hpp"

namespace nibblecore::hw {
namespace {

ScaleFactor fields_of(ScaleKind kind, uint8_t code) {
  return kind == ScaleKind::kE8m0    ? e8m0_fields(code)
         : kind == ScaleKind::kUe4m3 ? ue4m3_fields(code)
                                     : hif4_fields(code);
}

constexpr int32_t kUntouched = INT32_MIN;

/// Runs a step and compares every output of every block with the scalar product of the fields.
void check(const CoreDescription& core, const BlockFormat& format, const ScaleSlice& a,
           const ScaleSlice& b, SimdTarget target) {
  ScaleMultiplier multiplier(core, target);
  ScaleProducts products(core);
  std::fill(products.significands.begin(), products.significands.end(), kUntouched);
  multiplier.multiply(format, a, b, products);
  const auto in_stride = static_cast<size_t>(most_blocks(core.depth));
  const auto dense = static_cast<size_t>(a.tag.dense_blocks);
  const auto blocks = static_cast<size_t>(a.tag.blocks());
  const auto rows = static_cast<size_t>(core.rows);
  const auto columns = static_cast<size_t>(core.columns);
  const auto stride = static_cast<size_t>(padded_lanes(core.columns));
  for (size_t out = 0; out < products.significands.size(); ++out) {
    const size_t block = out / stride / rows;
    const size_t i = out / stride % rows;
    const size_t j = out % stride;
    if (block >= blocks) {
      ASSERT_EQ(products.significands[out], kUntouched) << "a masked block";
    } else if (j < columns) {
      const size_t b_block = block < dense ? block : block - dense;
      const ScaleFactor expected =
          multiply(fields_of(format.scale, a.scales[i * in_stride + block]),
                   fields_of(format.scale, b.scales[j * in_stride + b_block]));
      ASSERT_EQ(products.significands[out], expected.significand);
      ASSERT_EQ(products.exponents[out], expected.exponent);
      ASSERT_EQ(products.nan[out] != 0, expected.is_nan);
    }
  }
}

TEST(ScaleMultiplier, EveryPairOfCodesOnEveryTarget) {
  constexpr CoreDescription kCore{16, 16, 64};
  constexpr BlockFormat kE8m0Block64{"", ElementKind::kE2m1, ScaleKind::kE8m0, 64};
  constexpr BlockFormat kUe4m3Block64{"", ElementKind::kE2m1, ScaleKind::kUe4m3, 64};
  for (const SimdTarget target : test::available_targets()) {
    for (const BlockFormat& format : {kE8m0Block64, kUe4m3Block64, kHif4}) {
      for (int pair = 0; pair < 256; ++pair) {
        ScaleSlice a(16, 64);
        ScaleSlice b(16, 64);
        a.tag.dense_blocks = 1;
        for (int lane = 0; lane < 16; ++lane) {
          const size_t first = static_cast<size_t>(lane) * most_blocks(64);
          a.scales[first] = static_cast<uint8_t>(pair / 16 * 16 + lane);
          b.scales[first] = static_cast<uint8_t>(pair % 16 * 16 + lane);
        }
        check(kCore, format, a, b, target);
      }
    }
  }
}

TEST(ScaleMultiplier, EveryKindOfStepInOddShapes) {
  constexpr std::array<CoreDescription, 4> kShapes{
      {{5, 17, 128}, {17, 5, 64}, {1, 33, 64}, {16, 16, 64}}};
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
      for (const StepKind kind : test::kAllStepKinds) {
        for (const StepTag& tag : test::step_tags(kind, core.depth / format.block)) {
          a.tag = tag;
          for (const SimdTarget target : test::available_targets()) {
            check(core, format, a, b, target);
          }
        }
      }
    }
  }
}

TEST(ScaleMultiplier, RefusesCountsThatDoNotGoWithTheKind) {
  ScaleMultiplier multiplier(kDefaultCore);
  ScaleProducts products(kDefaultCore);
  ScaleSlice a(16, 64);
  const ScaleSlice b(16, 64);
  a.tag = test::step_tag(StepKind::kSparse, 0, 2);
  EXPECT_NO_THROW(multiplier.multiply(kHif4, a, b, products));
  a.tag.residual_blocks = 3;
  EXPECT_THROW(multiplier.multiply(kHif4, a, b, products), InternalError);
}

}  // namespace
}  // namespace nibblecore::hw
