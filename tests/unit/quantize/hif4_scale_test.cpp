// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/hif4_scale.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/bf16.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Hif4Rule rule_with(Hif4Range range, Rounding rounding = Rounding::kNearestEven) {
  auto rule = std::get<Hif4Rule>(preset(kHif4, "model_a6_rne").rule);
  rule.range = range;
  rule.scale_rounding = rounding;
  return rule;
}

/// Every non-negative finite BF16 number.
template <typename Action>
void for_every_bf16_maximum(const Action& action) {
  for (uint32_t upper = 0; upper < 0x7F80; ++upper) {
    action(bits_float(upper << 16));
  }
}

TEST(Hif4Scale, HalfUpAndNearestEvenDifferFor191Maxima) {
  int different = 0;
  for_every_bf16_maximum([&](float maximum) {
    const Hif4Scale even = hif4_scale(maximum, rule_with(Hif4Range::kClamped));
    const Hif4Scale up =
        hif4_scale(maximum, rule_with(Hif4Range::kClamped, Rounding::kNearestAway));
    different += even.code != up.code ? 1 : 0;
  });
  EXPECT_EQ(different, 191);
}

TEST(Hif4Scale, ReciprocalIsThatOfTheValueRoundedToBf16) {
  for_every_bf16_maximum([&](float maximum) {
    const Hif4Scale scale = hif4_scale(maximum, rule_with(Hif4Range::kClamped));
    EXPECT_EQ(scale.value, static_cast<float>(decode_double(kE6m2Format, scale.code)));
    EXPECT_EQ(scale.reciprocal, round_to_bf16(1 / scale.value));
    EXPECT_TRUE(scale.has_micro_exponents);
  });
}

TEST(Hif4Scale, PoliciesAgreeWithinTheRange) {
  int within = 0;
  for_every_bf16_maximum([&](float maximum) {
    const float exact = maximum * 0.142578125F;
    if (exact < 0x1p-48F || exact > 49152) {
      return;
    }
    ++within;
    const Hif4Scale expected = hif4_scale(maximum, rule_with(Hif4Range::kClamped));
    for (const Hif4Range range : {Hif4Range::kNan, Hif4Range::kUnbounded, Hif4Range::kWraps}) {
      const Hif4Scale scale = hif4_scale(maximum, rule_with(range));
      EXPECT_EQ(scale.code, expected.code) << maximum;
      EXPECT_EQ(scale.value, expected.value) << maximum;
      EXPECT_EQ(scale.reciprocal, expected.reciprocal) << maximum;
    }
  });
  EXPECT_GT(within, 8000);
}

TEST(Hif4Scale, NanRange) {
  const auto code = [](float maximum) {
    return hif4_scale(maximum, rule_with(Hif4Range::kNan)).code;
  };
  EXPECT_EQ(code(0.0F), kE6m2Nan);
  EXPECT_EQ(code(7.0F * 0x1p-49F), kE6m2Nan);
  EXPECT_EQ(code(7.03125F * 0x1p-48F), 0x00);
  EXPECT_EQ(code(kInfinity), kE6m2Nan);
  const Hif4Scale nan = hif4_scale(0.0F, rule_with(Hif4Range::kNan));
  EXPECT_EQ(nan.reciprocal, 1.0F);
  EXPECT_FALSE(nan.has_micro_exponents);
}

TEST(Hif4Scale, UnboundedEndsAtTwoToTheMinus125) {
  const auto scale = [](float maximum) {
    return hif4_scale(maximum, rule_with(Hif4Range::kUnbounded));
  };
  // 7.03125 / 7 in BF16 is 1.0 and a little, 7 / 7 is just below.
  EXPECT_EQ(scale(7.03125F * 0x1p-125F).value, 0x1p-125F);
  EXPECT_EQ(scale(7.03125F * 0x1p-125F).code, kE6m2Nan);
  EXPECT_TRUE(std::isnan(scale(6.9375F * 0x1p-125F).reciprocal));
  EXPECT_TRUE(std::isnan(scale(0.0F).value));
  EXPECT_TRUE(std::isnan(scale(kInfinity).value));
  EXPECT_EQ(scale(7.0F * 0x1p100F).value, 0x1p100F);
}

TEST(Hif4Scale, WrapsKeepsEightBits) {
  const auto scale = [](float maximum) {
    return hif4_scale(maximum, rule_with(Hif4Range::kWraps));
  };
  EXPECT_EQ(scale(7.0F * 0x1p16F).code, 0x00);  // 64 binades above 2^-48
  EXPECT_EQ(scale(7.0F * 0x1p16F).value, 0x1p16F);
  EXPECT_EQ(scale(7.0F * 0x1p-49F).code, 0xFC);
  EXPECT_EQ(scale(kInfinity).code, 0xC0);
  EXPECT_EQ(scale(std::numeric_limits<float>::quiet_NaN()).code, 0xC2);
}

TEST(Hif4Scale, ClampedNanHasNoReciprocal) {
  const Hif4Scale scale =
      hif4_scale(std::numeric_limits<float>::quiet_NaN(), rule_with(Hif4Range::kClamped));
  EXPECT_EQ(scale.code, kE6m2Nan);
  EXPECT_TRUE(std::isnan(scale.reciprocal));
  EXPECT_EQ(hif4_scale(kInfinity, rule_with(Hif4Range::kClamped)).code, 0xFE);
  EXPECT_EQ(hif4_scale(0.0F, rule_with(Hif4Range::kClamped)).code, 0x00);
}

}  // namespace
}  // namespace nibblecore
