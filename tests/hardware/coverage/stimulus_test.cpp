// SPDX-License-Identifier: Apache-2.0
#include "tb/stimulus/stimulus.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/reference/gemm.hpp"
#include "tb/stimulus/first_term.hpp"
#include "tb/stimulus/packed_operand.hpp"
#include "tb/stimulus/start_values.hpp"

namespace nibblecore::tb {
namespace {

TEST(StimulusTest, SeedAndConstraintsAreAllItFollowsFrom) {
  const StimulusConstraints constraints;
  int different = 0;
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    const Stimulus once(seed, constraints);
    const Stimulus again(seed, constraints);
    const Stimulus other(seed + 1000, constraints);
    EXPECT_EQ(once.text(), again.text());
    EXPECT_EQ(once.golden(), again.golden());
    different += once.golden() == other.golden() ? 0 : 1;
  }
  EXPECT_GT(different, 35);
}

TEST(StimulusTest, KeepsToItsConstraints) {
  StimulusConstraints constraints;
  constraints.formats = {kNvfp4, kHif4};
  constraints.most_tiles = 2;
  constraints.most_steps = 2;
  constraints.most_lanes = 3;
  constraints.online = 0;
  constraints.bf16_output = 1;
  constraints.pressure = 1;
  constraints.most_refused = 0.25;
  for (uint32_t seed = 1; seed <= 200; ++seed) {
    const Stimulus stimulus(seed, constraints);
    const Schedule& schedule = stimulus.schedule();
    EXPECT_NE(schedule.spec.format.name, kMxfp4.name);
    EXPECT_LE(schedule.machine.core.rows, 3);
    EXPECT_LE(schedule.spec.m, 2 * schedule.machine.core.rows);
    EXPECT_LE(schedule.spec.k, 2 * schedule.machine.core.depth);
    EXPECT_EQ(schedule.spec.a, OperandPath::kPacked);
    EXPECT_EQ(schedule.spec.b, OperandPath::kPacked);
    EXPECT_EQ(schedule.spec.residual, ResidualPattern::kNone);
    EXPECT_EQ(schedule.spec.output, OutputWidth::kBf16);
    EXPECT_GT(stimulus.refusal(), 0);
    EXPECT_LE(stimulus.refusal(), 0.25);
  }
}

TEST(StimulusTest, ScalesAreNanOnlyWhereTheThemeHasThem) {
  const StimulusConstraints constraints;
  Dice dice(3);
  Theme theme;
  int64_t nan = 0;
  for (int i = 0; i < 200; ++i) {
    theme.nan = i >= 100;
    const PackedMatrix matrix = random_packed(dice, constraints, theme, kMxfp4, 4, 128);
    for (const uint8_t scale : matrix.scales) {
      EXPECT_TRUE(theme.nan || scale != 0xFF);
      nan += scale == 0xFF ? 1 : 0;
    }
  }
  EXPECT_GT(nan, 0);
}

/// The first term, written as an FP32 number where it is one.
TEST(FirstTermTest, IsTheGoldenDotProductOfOneBlock) {
  const StimulusConstraints constraints;
  Dice dice(11);
  int compared = 0;
  for (const BlockFormat& format : kBlockFormats) {
    for (int i = 0; i < 2000; ++i) {
      const Theme theme = random_theme(dice, constraints, format);
      const PackedMatrix a = random_packed(dice, constraints, theme, format, 1, format.block);
      const PackedMatrix b = random_packed(dice, constraints, theme, format, 1, format.block);
      uint32_t golden = 0;
      reference_gemm(a, b, Accumulation::kFp32Rne, nullptr, &golden, 1);
      const FirstTerm term = first_term(a, 0, b, 0);
      if (term.nan) {
        EXPECT_EQ(golden, 0x7FC00000U);
        continue;
      }
      if (term.exponent < -149 || term.exponent > 100) {
        continue;
      }
      const float value = std::ldexp(static_cast<float>(term.significand), term.exponent);
      EXPECT_EQ(float_bits(value), golden) << term.significand << " * 2^" << term.exponent;
      ++compared;
    }
  }
  EXPECT_GT(compared, 4000);
}

class StartValuesTest : public testing::Test {
 protected:
  /// Weights of StartStyle with one style alone.
  static std::vector<double> only(StartStyle style) {
    std::vector<double> styles(5, 0);
    styles.at(static_cast<size_t>(style)) = 1;
    return styles;
  }
};

TEST_F(StartValuesTest, TieLeavesHalfOfTheLastBit) {
  Dice dice(5);
  const FirstTerm term{40, -3, false};  // 5: its last set bit counts 1
  for (int i = 0; i < 100; ++i) {
    const uint32_t bits = random_start(dice, only(StartStyle::kTie), term);
    EXPECT_EQ((bits >> 23) & 0xFF, 127U + 24U) << "the last bit counts 2";
  }
}

TEST_F(StartValuesTest, OppositeCancels) {
  Dice dice(5);
  const FirstTerm term{-3, 10, false};
  int exact = 0;
  for (int i = 0; i < 200; ++i) {
    const float start = bits_float(random_start(dice, only(StartStyle::kCancel), term));
    EXPECT_GE(start, 1024.0F);
    EXPECT_LE(start, 6144.0F);
    exact += start == 3072.0F ? 1 : 0;
  }
  EXPECT_GT(exact, 20);
  EXPECT_LT(exact, 180);
}

}  // namespace
}  // namespace nibblecore::tb
