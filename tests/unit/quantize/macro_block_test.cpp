// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/macro_block.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "model/quantize/quantize.hpp"
#include "tests/unit/quantize/corrected_operands.hpp"

namespace nibblecore {
namespace {

using ::testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float static_c(float largest, int mantissa_bits = 8) {
  return static_multiplier(float_bits(largest), mantissa_bits);
}

TEST(StaticMultiplier, PutsTheLargestMagnitudeJustBelowSix) {
  EXPECT_EQ(static_c(6.0F), 1.0F);
  EXPECT_EQ(static_c(5.0F), 1 + 51 / 256.0F);   // 6/5 = 1 + 51.2/256
  EXPECT_EQ(static_c(7.0F), 1 + 182 / 256.0F);  // 6/7 = (1 + 182.9/256) / 2
  EXPECT_EQ(static_c(4.0F), 1.5F);
  EXPECT_EQ(static_c(1.5F), 1.0F);
  EXPECT_EQ(static_c(1.501F), 1 + 255 / 256.0F);  // 6/1.501 = 2 * (1 + 255.7/256)
  EXPECT_EQ(static_c(1e-30F), static_c(std::ldexp(1e-30F, 7)));
}

TEST(StaticMultiplier, NeverPassesSixTimesAPowerOfTwo) {
  for (uint32_t fraction = 0; fraction < 0x800000; fraction += 1237) {
    const float a = bits_float(0x3F800000 | fraction);  // 1..2
    const double product = static_cast<double>(static_c(a)) * a;
    const double limit = product > 1.5 ? 3 : 1.5;
    ASSERT_LE(product, limit) << a;
    ASSERT_GT(product, limit * (1 - 1.0 / 256)) << a;
  }
}

TEST(StaticMultiplier, TakesFewerOrMoreBits) {
  EXPECT_EQ(static_c(5.0F, 1), 1.0F);
  EXPECT_EQ(static_c(4.0F, 1), 1.5F);
  EXPECT_EQ(static_c(5.0F, 3), 1.125F);
  EXPECT_EQ(static_c(5.0F, 16), 1 + 13107 / 65536.0F);  // .2 * 65536 = 13107.2
}

TEST(StaticMultiplier, IsOneWithoutAFiniteProduct) {
  EXPECT_EQ(static_c(0.0F), 1.0F);
  EXPECT_EQ(static_c(kInfinity), 1.0F);
  EXPECT_EQ(static_c(std::numeric_limits<float>::quiet_NaN()), 1.0F);
  EXPECT_EQ(static_c(std::numeric_limits<float>::denorm_min()), 1.0F);  // 6 / a overflows
  EXPECT_EQ(static_c(0x1.8p127F), 1.0F);                                // exactly 6 * 2^125
  EXPECT_EQ(static_c(0x1.ap127F), 1.0F);  // 1.84 * a would be 6 * 2^126
  EXPECT_GT(static_c(0x1.4p127F), 1.0F);
}

TEST(MacroFactor, IsTheReciprocalInFp16) {
  EXPECT_EQ(macro_factor(1.0F), 1.0F);
  EXPECT_EQ(macro_factor(1.5F), 1365 / 2048.0F);              // 1365.3
  EXPECT_EQ(macro_factor(1 + 255 / 256.0F), 1026 / 2048.0F);  // 1026.004
  EXPECT_EQ(macro_factor(1 + 65535 / 65536.0F), 0.5F);
  for (int m = 0; m < 256; ++m) {
    const double units = 2048.0 / (1 + m / 256.0);
    EXPECT_EQ(macro_factor(1 + static_cast<float>(m) / 256), std::nearbyint(units) / 2048) << m;
  }
}

TEST(MultiplyMacroBlocks, RoundsEachProductOnce) {
  const std::vector<float> numbers{1 + 51 / 256.0F, 0.5F};
  std::vector<float> values(40, 0x1.000002p0F);
  multiply_macro_blocks(numbers.data(), 32, 40, values.data());
  EXPECT_EQ(values[0], static_cast<float>((1 + 51 / 256.0) * 0x1.000002p0));
  EXPECT_EQ(values[31], values[0]);
  EXPECT_EQ(values[32], 0x1.000002p-1F);
}

TEST(MacroMultipliers, StaticFollowsEachMacroBlock) {
  std::vector<float> values(300, 1.0F);
  values[100] = -5.0F;
  values[128] = 7.0F;
  values[299] = 4.0F;
  std::vector<float> multipliers(3);
  MacroMultipliers({}, preset(kMxfp4, ""), {1, 1}).find(300, values.data(), multipliers.data());
  EXPECT_EQ(multipliers, (std::vector<float>{static_c(5), static_c(7), static_c(4)}));
}

/// The dynamic multiplier of one macro block by its definition, through whole quantized matrices.
float best_candidate(const std::vector<float>& values, const Preset& preset, int candidates) {
  float best = 0;
  double least = HUGE_VAL;
  for (int j = 0; j < candidates; ++j) {
    const float c = 1 + static_cast<float>(j) / static_cast<float>(candidates);
    std::vector<float> scaled = values;
    for (float& value : scaled) {
      value *= c;
    }
    const auto k = static_cast<int64_t>(values.size());
    const std::vector<float> q = decoded(quantize(row_major_view(scaled.data(), 1, k), preset, 1));
    double error = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      const float value = q[i] * macro_factor(c);
      error += std::pow(static_cast<double>(value) - values[i], 2);
    }
    if (error < least) {
      least = error;
      best = c;
    }
  }
  return best;
}

TEST(MacroMultipliers, DynamicTakesTheLeastError) {
  for (const Preset& preset : {nibblecore::preset(kMxfp4, "rceil"),
                               nibblecore::preset(kMxfp4, "oas"), nibblecore::preset(kHif4, "")}) {
    for (const int candidates : {16, 64}) {
      const std::vector<float> values = gaussian(8, 200, 21);
      for (int row = 0; row < 8; ++row) {
        const float* first = values.data() + row * 200;
        std::vector<float> multipliers(2);
        MacroMultipliers({MacroSearch::kDynamic, 128, 8, candidates}, preset, {1, 1})
            .find(200, first, multipliers.data());
        EXPECT_EQ(multipliers[0], best_candidate({first, first + 128}, preset, candidates));
        EXPECT_EQ(multipliers[1], best_candidate({first + 128, first + 200}, preset, candidates));
      }
    }
  }
}

TEST(MacroMultipliers, DynamicTakesTheFirstOfEqualsAndLeavesWhatIsNotFinite) {
  std::vector<float> values(96, 0.0F);
  values[32] = 1.0F;  // exact under c = 1
  values[64] = kInfinity;
  std::vector<float> multipliers(3);
  MacroMultipliers({MacroSearch::kDynamic, 32, 8, 16}, preset(kMxfp4, ""), {1, 1})
      .find(96, values.data(), multipliers.data());
  EXPECT_EQ(multipliers, (std::vector<float>{1, 1, 1}));
}

TEST(MacroMultipliers, DynamicSearchesStochasticPresetsWithNearestEven) {
  const Preset nearest = preset(kMxfp4, "");
  const std::vector<float> values = gaussian(1, 512, 22);
  std::vector<float> multipliers(4);
  std::vector<float> expected(4);
  const MacroBlockScaling scaling{MacroSearch::kDynamic, 128, 8, 16};
  MacroMultipliers(scaling, with_rounding(nearest, Rounding::kStochastic), {1, 1})
      .find(512, values.data(), multipliers.data());
  MacroMultipliers(scaling, nearest, {1, 1}).find(512, values.data(), expected.data());
  EXPECT_EQ(multipliers, expected);
}

TEST(MacroBlockScaling, RefusesWhatItCannotDo) {
  const auto refusal = [](const MacroBlockScaling& scaling, const BlockFormat& format,
                          BlockShape shape = BlockShape::kRow) {
    return input_error([&] { require_macro_block(scaling, preset(format, ""), shape); });
  };
  EXPECT_THAT(refusal({}, kNvfp4), HasSubstr("nvfp4"));
  EXPECT_THAT(refusal({}, kMxfp4, BlockShape::kSquare), HasSubstr("square"));
  EXPECT_THAT(refusal({MacroSearch::kStatic, 32, 8, 16}, kHif4), HasSubstr("length 32"));
  EXPECT_THAT(refusal({MacroSearch::kStatic, 16, 8, 16}, kMxfp4), HasSubstr("length 16"));
  EXPECT_THAT(refusal({MacroSearch::kStatic, 544, 8, 16}, kMxfp4), HasSubstr("length 544"));
  EXPECT_THAT(refusal({MacroSearch::kStatic, 100, 8, 16}, kMxfp4), HasSubstr("length 100"));
  EXPECT_THAT(refusal({MacroSearch::kStatic, 128, 0, 16}, kMxfp4), HasSubstr("mantissa"));
  EXPECT_THAT(refusal({MacroSearch::kStatic, 128, 17, 16}, kMxfp4), HasSubstr("mantissa"));
  EXPECT_THAT(refusal({MacroSearch::kDynamic, 128, 8, 1}, kMxfp4), HasSubstr("candidates"));
  EXPECT_THAT(refusal({MacroSearch::kDynamic, 128, 8, 65}, kMxfp4), HasSubstr("candidates"));
  EXPECT_EQ(refusal({MacroSearch::kStatic, 512, 16, 16}, kHif4), "");
}

}  // namespace
}  // namespace nibblecore
