// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/ideal_scale.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

IdealBlock ideal(ElementKind element, const std::vector<float>& values, int block) {
  IdealBlock result;
  quantize_ideal_scale(element, values.data(), static_cast<int>(values.size()), block, result);
  return result;
}

/// `value` and its neighbours toward and away from zero.
float below(float value) { return std::nextafterf(value, 0.0F); }
float above(float value) { return std::nextafterf(value, value * 2); }

void expect_values(const IdealBlock& block, const std::vector<double>& expected) {
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(block.values[i], expected[i]) << "element " << i;
  }
}

void expect_dead_zone(const IdealBlock& block, const std::vector<double>& expected) {
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(block.dead_zone[i], expected[i]) << "element " << i;
  }
}

TEST(IdealScale, E2m1TiesGoToEvenCodes) {
  // s* = 1.5: a tie of every pair of neighbours is an FP32 number.
  const IdealBlock block = ideal(
      ElementKind::kE2m1,
      {9, 0.375F, -1.125F, 1.875F, 2.625F, 3.75F, 5.25F, -7.5F, below(1.125F), above(5.25F)}, 16);
  EXPECT_EQ(block.scale, 1.5);
  expect_values(block, {9, 0, -1.5, 1.5, 3, 3, 6, -6, 0.75, 6});
}

TEST(IdealScale, E2m1IsExactUnderAScaleThatIsNoFloatingPointNumber) {
  // s* = 1/6: 0.125 is 0.75 s*, a tie, which a rounded s* or quotient would be free to miss.
  const IdealBlock block = ideal(ElementKind::kE2m1, {1, 0.125F, below(0.125F), above(0.125F)}, 32);
  expect_values(block, {1, 1.0 / 6, 0.5 / 6, 1.0 / 6});
}

TEST(IdealScale, E2m1DeadZoneIsOpen) {
  const IdealBlock block =
      ideal(ElementKind::kE2m1, {6, 0.25F, -below(0.25F), above(0.25F), 0, -0.0F}, 16);
  expect_values(block, {6, 0, 0, 0.5, 0, 0});
  expect_dead_zone(block, {0, 0, 1, 0, 1, 1});
  EXPECT_EQ(block.dead_zone[15], 1) << "padding";
  EXPECT_EQ(block.values[15], 0) << "padding";
}

TEST(IdealScale, E2m1ChoosesTheNearestOnAnyData) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  constexpr double kMagnitudes[]{0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (int repetition = 0; repetition < 200; ++repetition) {
    std::vector<float> values(64);
    double largest = 0;
    for (float& value : values) {
      value = normal(random);
      largest = std::fmax(largest, std::fabs(value));
    }
    const IdealBlock block = ideal(ElementKind::kE2m1, values, 64);
    for (size_t i = 0; i < values.size(); ++i) {
      // Distances in sixths of s* are exact in FP64 for these magnitudes.
      const double chosen = std::round(12 * std::fabs(block.values[i]) / largest) / 2;
      const double distance = std::fabs(6 * std::fabs(double{values[i]}) - chosen * largest);
      for (const double magnitude : kMagnitudes) {
        EXPECT_LE(distance, std::fabs(6 * std::fabs(double{values[i]}) - magnitude * largest));
      }
      EXPECT_EQ(std::signbit(block.values[i]), std::signbit(values[i]));
      EXPECT_EQ(std::fabs(block.values[i]), chosen * (largest / 6));
    }
  }
}

TEST(IdealScale, Hif4UnitByHand) {
  std::vector<float> values(64);
  // Group of 8 with both micro-exponents (s* = 1, n = 2): steps of 1.
  values[0] = 7;
  values[1] = 0.5F;          // a tie, to the even 0, outside the dead zone
  values[2] = -below(0.5F);  // dead zone
  values[3] = 1.5F;          // a tie, to 2
  values[4] = 3.9375F;       // its quad has v16 / 2 = 1.96875 < 2: n = 1, steps of 0.5, at most 3.5
  values[5] = 0.25F;         // a tie of that step
  values[6] = below(0.25F);  // dead zone
  values[7] = 0.75F;         // a tie, to 1
  // v8 = 4 - ulp < 4: level 2 is 0, level 3 is 1; n = 1 and the element saturates at 3.5.
  values[8] = below(4.0F);
  // n = 0: steps of 0.25, at most 1.75.
  values[12] = below(2.0F);
  values[13] = 0.125F;
  values[14] = -below(0.125F);
  values[15] = -0.375F;
  // v8 = 4: level 2 and, with v16 / 2 = 2, level 3.
  values[16] = 4;
  values[17] = 2.5F;
  const IdealBlock block = ideal(ElementKind::kS1p2, values, 64);
  EXPECT_EQ(block.scale, 1);
  expect_values(block, {7, 0, 0, 2, 3.5, 0, 0, 1, 3.5, 0, 0, 0, 1.75, 0, 0, -0.5, 4, 2});
  expect_dead_zone(block, {0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1});
}

TEST(IdealScale, Hif4MicroExponentsCompareExactly) {
  // s* = 1/7. 4 s* = 4/7 lies between two FP32 numbers: the upper one has level 2, and then
  // level 3; the lower one has level 3 alone.
  const float upper = 4.0F / 7.0F;
  ASSERT_GT(double{upper} * 7, 4);
  std::vector<float> values(64);
  values[0] = 1;
  values[8] = upper;
  values[9] = 2.0F / 7.0F;  // above 2/7: n decides whether it is 2 steps of 1/7 or 4 of 0.5/7
  values[10] = 0.7F / 7.0F;
  values[16] = below(upper);
  values[18] = 0.7F / 7.0F;
  const IdealBlock block = ideal(ElementKind::kS1p2, values, 64);
  EXPECT_EQ(block.values[0], 1);
  EXPECT_EQ(block.values[8], 4.0 / 7);
  EXPECT_EQ(block.values[10], 1.0 / 7);   // n = 2
  EXPECT_EQ(block.values[16], 7.0 / 14);  // n = 1: 8 steps of 0.5/7 saturate at 7
  EXPECT_EQ(block.values[18], 0.5 / 7);   // n = 1
}

TEST(IdealScale, KeepsTheLargestMagnitude) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> uniform(1, 2);
  for (int repetition = 0; repetition < 1000; ++repetition) {
    const std::vector<float> values{-uniform(random)};
    EXPECT_EQ(ideal(ElementKind::kE2m1, values, 16).values[0], values[0]);
    EXPECT_EQ(ideal(ElementKind::kS1p2, values, 64).values[0], values[0]);
  }
}

TEST(IdealScale, HoldsAtTheEndsOfFp32) {
  for (const float largest : {0x1p-149F, 0x1.fffffep127F}) {
    const IdealBlock e2m1 = ideal(ElementKind::kE2m1, {largest, -largest}, 32);
    expect_values(e2m1, {largest, -double{largest}});
    const IdealBlock hif4 = ideal(ElementKind::kS1p2, {largest, -largest}, 64);
    expect_values(hif4, {largest, -double{largest}});
  }
}

TEST(IdealScale, RefusesBlocksOfOtherSizes) {
  const std::vector<float> values(65, 1.0F);
  EXPECT_THROW(ideal(ElementKind::kE2m1, values, 64), InternalError);
  EXPECT_THROW(ideal(ElementKind::kE2m1, values, 128), InternalError);
  EXPECT_THROW(ideal(ElementKind::kS1p2, {1}, 32), InternalError);
  EXPECT_THROW(ideal(ElementKind::kE2m1, {}, 32), InternalError);
}

}  // namespace
}  // namespace nibblecore
