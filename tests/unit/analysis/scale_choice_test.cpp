// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/scale_choice.hpp"

#include <array>

#include <gtest/gtest.h>

#include "model/analysis/best_scale.hpp"

namespace nibblecore {
namespace {

TEST(ScaleChoice, RoundsTheScaleToItsMantissaBits) {
  const auto scale = [](float largest, SweepScale rounding, int bits) {
    const std::array<float, 2> values{-largest, 0};
    return sweep_scale(values.data(), 2, {rounding, bits});
  };
  EXPECT_EQ(scale(6, SweepScale::kRoundedUp, 0), 1);
  EXPECT_EQ(scale(6, SweepScale::kRoundedDown, 0), 1);
  EXPECT_EQ(scale(7.5F, SweepScale::kRoundedUp, 0), 2);  // s* = 1.25
  EXPECT_EQ(scale(7.5F, SweepScale::kNearest, 0), 1);
  EXPECT_EQ(scale(7.5F, SweepScale::kRoundedDown, 0), 1);
  EXPECT_EQ(scale(7.5F, SweepScale::kRoundedUp, 1), 1.5);
  EXPECT_EQ(scale(7.5F, SweepScale::kNearest, 1), 1);       // tie, 2 halves rather than 3
  EXPECT_EQ(scale(10.5F, SweepScale::kNearest, 1), 2);      // s* = 1.75: tie, 4 halves
  EXPECT_EQ(scale(9, SweepScale::kNearest, 0), 2);          // s* = 1.5: tie, 2
  EXPECT_EQ(scale(8.25F, SweepScale::kRoundedUp, 2), 1.5);  // s* = 1.375
  EXPECT_EQ(scale(8.25F, SweepScale::kRoundedDown, 2), 1.25);
  EXPECT_EQ(scale(8.25F, SweepScale::kRoundedDown, 3), 1.375);
  EXPECT_EQ(scale(0x1.8p-140F, SweepScale::kRoundedDown, 0), 0x1p-142);  // a subnormal block
  EXPECT_EQ(scale(7, SweepScale::kUnlimited, 0), 7.0 / 6);
}

TEST(ScaleChoice, TakesTheBestPowerOfTwoAndTheBestRealScale) {
  // Rounded up: 2, under which 1, 1, 1 and 8.5 become 1, 1, 1, 8; under 1 the three are exact and
  // 8.5 saturates at 6.
  const std::array<float, 4> near_zero{1, 1, 1, 8.5F};
  EXPECT_EQ(sweep_scale(near_zero.data(), 4, {SweepScale::kBestPowerOfTwo, 0}), 2);
  // Under 2 the nines become 8 (5 is a tie to 4), under 1 twice 6 from 9.
  const std::array<float, 3> saturated{6.5F, 0.5F, 0.5F};
  EXPECT_EQ(sweep_scale(saturated.data(), 3, {SweepScale::kBestPowerOfTwo, 0}), 1);
  EXPECT_EQ(sweep_scale(saturated.data(), 3, {SweepScale::kBestReal, 0}),
            best_real_scale(saturated.data(), 3));
  // Equal errors under 2, 1 (and more than one smaller scale): the smallest comes first.
  const std::array<float, 1> exact{3};
  EXPECT_EQ(sweep_scale(exact.data(), 1, {SweepScale::kBestPowerOfTwo, 0}), 0.5);
}

TEST(ScaleChoice, ValuesUnderAScaleSaturateAndKeepTheirSign) {
  const ElementRounding& nearest = e2m1_rounding(Rounding::kNearestEven);
  EXPECT_EQ(e2m1_value(-3.75, 1.5, nearest), -3);  // 2.5, a tie
  EXPECT_EQ(e2m1_value(100, 1.5, nearest), 9);
  EXPECT_EQ(e2m1_value(-3.75, 1.5, e2m1_rounding(Rounding::kNearestAway)), -4.5);
  EXPECT_TRUE(std::signbit(e2m1_value(-0.25, 1, nearest)));
}

}  // namespace
}  // namespace nibblecore
