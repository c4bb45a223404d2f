// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/mxfp4_best_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/formats/e8m0.hpp"
#include "model/formats/rounding.hpp"
#include "model/quantize/magnitude_bits.hpp"
#include "model/quantize/mxfp4.hpp"

namespace nibblecore {
namespace {

uint8_t best(const std::vector<float>& block, Rounding rounding = Rounding::kNearestEven) {
  const auto size = static_cast<int>(block.size());
  return mxfp4_best_power_of_two({block.data(), largest_magnitude_bits(block.data(), block.size())},
                                 size, rounding);
}

/// The squared error of a block of multiples of 2^-11 under a scale, in units of 2^-22: integers,
/// and mxfp4_code.
int64_t squared_error(const std::vector<float>& block, int scale, Rounding rounding) {
  constexpr std::array<int, 8> kDoubled{0, 1, 2, 3, 4, 6, 8, 12};
  int64_t sum = 0;
  for (const float x : block) {
    const int code = mxfp4_code(x, static_cast<uint8_t>(scale), rounding) & 7;
    const auto decoded =
        static_cast<int64_t>(std::ldexp(kDoubled[static_cast<size_t>(code)], scale - 127 + 10));
    const int64_t difference = static_cast<int64_t>(std::ldexp(std::fabs(x), 11)) - decoded;
    sum += difference * difference;
  }
  return sum;
}

int by_trying(const std::vector<float>& block, Rounding rounding) {
  const int base =
      mxfp4_scale(largest_magnitude_bits(block.data(), block.size()), ScaleRule::kRceil);
  const std::array<int, 4> candidates{base - 2, base - 1, base, base + 1};
  return *std::min_element(candidates.begin(), candidates.end(), [&](int a, int b) {
    return squared_error(block, a, rounding) < squared_error(block, b, rounding);
  });
}

TEST(Mxfp4BestScale, IsTheFirstOfLeastSquaredError) {
  std::mt19937 random(1);
  std::array<int, 4> chosen{};  // by factor 1/4, 1/2, 1, 2
  for (const RoundingRecord& mode : kDeterministicRoundings) {
    for (const size_t size : {2, 16, 32, 64}) {
      for (int repeat = 0; repeat < 300; ++repeat) {
        // Multiples of 2^-8 up to 16; the scale is 2^-6 or more, its quarter 2^-8.
        std::vector<float> block(size);
        const int spread = 1 + static_cast<int>(random() % 12);
        for (float& x : block) {
          const auto whole = static_cast<int>(random() % (size_t{1} << spread));
          x = std::ldexp(static_cast<float>((random() & 1) != 0 ? whole : -whole), -8);
        }
        block[random() % size] = 0.1875F + static_cast<float>(random() % 512) / 32;
        const int code = best(block, mode.rounding);
        ASSERT_EQ(code, by_trying(block, mode.rounding)) << mode.name << ", repeat " << repeat;
        const int base = mxfp4_scale(largest_magnitude_bits(block.data(), size), ScaleRule::kRceil);
        ++chosen.at(static_cast<size_t>(std::ptrdiff_t{code} - base + 2));
      }
    }
  }
  // Numbers up to 6 of twice a scale are also numbers of the scale. A quarter of it gains at most
  // 1/64 an element and loses 9/4 by clipping: too much for these sizes.
  EXPECT_EQ(chosen[0], 0);
  EXPECT_GT(chosen[1], 1000);
  EXPECT_GT(chosen[2], 1000);
  EXPECT_EQ(chosen[3], 0);
}

TEST(Mxfp4BestScale, QuarterWinsInLongBlocks) {
  std::vector<float> block(200, 0.125F);
  block[0] = 0x1.800002p1F;
  EXPECT_EQ(best(block), 127 - 2);
  block.resize(100);
  EXPECT_EQ(best(block), 127 - 1);
}

TEST(Mxfp4BestScale, SmallestOfEqualErrors) {
  // Zeros have no error under any scale.
  EXPECT_EQ(best(std::vector<float>(32)), 0);
  // 3.5 is 3 under 1/2 and 4 under 1, as far away.
  EXPECT_EQ(best({3.5F}), 126);
  EXPECT_EQ(best({3.75F}), 127);
  EXPECT_EQ(best({3.25F}), 126);
  // 4 is exact under 1 and 2 alone.
  EXPECT_EQ(best({4.0F, -4.0F}), 127);
}

TEST(Mxfp4BestScale, StaysWithinE8m0) {
  EXPECT_EQ(best({std::numeric_limits<float>::denorm_min()}), 0);
  EXPECT_EQ(best({0x1p-127F, 0x1p-126F}), 0);
  // 1.75 * 2^127: 4 under 2^126 is 2^128, as 2 under 2^127 is; 6 under 2^125 is nearer.
  EXPECT_EQ(best({0x1.cp127F}), 252);
  EXPECT_EQ(best({std::numeric_limits<float>::max()}), 253);
}

TEST(Mxfp4BestScale, NotFiniteIsNan) {
  EXPECT_EQ(best({1, std::numeric_limits<float>::infinity()}), kE8m0Nan);
  EXPECT_EQ(best({1, std::numeric_limits<float>::quiet_NaN()}), kE8m0Nan);
}

TEST(Mxfp4BestScale, StochasticRoundingIsJudgedByNearestEven) {
  const std::vector<float> block{6, 0.25F, 0.25F, 0.3F, -5, 1.1F};
  EXPECT_EQ(best(block, Rounding::kStochastic), best(block));
  EXPECT_EQ(best({3.9F}), 127);
  EXPECT_EQ(best({3.9F}, Rounding::kTowardZero), 126);
}

TEST(Mxfp4BestScale, TheRuleUsesIt) {
  std::vector<float> block(32, 0.25F);
  for (size_t i = 1; i < 20; ++i) {
    block[i] = -0.25F;
  }
  block[0] = 2.0F;
  const Mxfp4Unit unit =
      quantize_mxfp4(block.data(), {ScaleRule::kBestPowerOfTwo, Rounding::kNearestEven});
  EXPECT_EQ(unit.scale, best(block));
  for (size_t i = 0; i < block.size(); ++i) {
    EXPECT_EQ(unit.codes[i], mxfp4_code(block[i], unit.scale, Rounding::kNearestEven));
  }
}

}  // namespace
}  // namespace nibblecore
