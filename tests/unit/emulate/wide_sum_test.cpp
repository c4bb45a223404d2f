// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/wide_sum.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/reference/exact_sum.hpp"

namespace nibblecore {
namespace {

TEST(WideSum, RoundsToOddAtFiftyThreeBits) {
  WideSum sum;
  sum.add(1.0);
  EXPECT_EQ(sum.rounded_to_odd(), 1.0);
  sum.add(0x1p-53);
  EXPECT_EQ(sum.rounded_to_odd(), 1.0 + 0x1p-52);
  sum.add(-0x1p-53);
  sum.add(-0x1p-300);
  // Just below 1: cut to 1 - 2^-53, whose last bit is set anyway.
  EXPECT_EQ(sum.rounded_to_odd(), 1.0 - 0x1p-53);
  sum.add(-1.0);
  EXPECT_EQ(sum.rounded_to_odd(), -0x1p-300);
  sum.add(0x1p-300);
  EXPECT_EQ(sum.rounded_to_odd(), 0.0);
  EXPECT_FALSE(std::signbit(sum.rounded_to_odd()));
}

TEST(WideSum, HoldsTheEndsOfItsRange) {
  WideSum sum;
  sum.add(0x1p-304, 0x1p-149);
  EXPECT_EQ(sum.rounded_to_odd(), 0x1p-453);
  sum.add(0x1p300, -0x1p165);
  EXPECT_EQ(sum.rounded_to_odd(), -0x1p465 + 0x1p412);  // cut toward zero, to odd
  sum.add(0x1p300, 0x1p165);
  EXPECT_EQ(sum.rounded_to_odd(), 0x1p-453);
}

TEST(WideSum, MultipliesExactly) {
  const double x = 0x1.FFFFFFFFFFFFFp0;
  const double y = 0x1.0000000000001p0;
  WideSum sum;
  sum.add(x, y);
  sum.add(-x);  // x y - x = x 2^-52
  sum.add(-x, 0x1p-52);
  EXPECT_EQ(sum.rounded_to_odd(), 0.0);
}

TEST(WideSum, CarriesWhatManyAdditionsLeave) {
  constexpr int count = 200'000;
  WideSum sum;
  for (int i = 0; i < count; ++i) {
    sum.add(-0x1.FFFFFFFEp31);
    sum.add(-0x1.FFFFFFFEp-1);
  }
  WideSum at_once;
  at_once.add(-0x1.FFFFFFFEp31, count);
  at_once.add(-0x1.FFFFFFFEp-1, count);
  EXPECT_EQ(sum.rounded_to_odd(), at_once.rounded_to_odd());
  sum.add(0x1.FFFFFFFEp31, count);
  sum.add(0x1.FFFFFFFEp-1, count);
  EXPECT_EQ(sum.rounded_to_odd(), 0.0);
}

TEST(WideSum, RoundsAsTheReferenceDoes) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    WideSum sum;
    std::vector<ExactTerm> terms;
    const int span = static_cast<int>(random() % 200) + 1;
    for (size_t i = 0; i < 2 + random() % 6; ++i) {
      const int bits = static_cast<int>(random() % 52) + 1;
      const auto magnitude = static_cast<int64_t>(random() >> (64 - bits));
      const int64_t significand = random() % 2 == 0 ? magnitude : -magnitude;
      const int exponent = static_cast<int>(random() % static_cast<uint64_t>(span)) - span / 2;
      terms.push_back({significand, exponent});
      sum.add(static_cast<double>(significand), std::ldexp(1.0, exponent));
    }
    // A midpoint of FP32, exactly or nearly.
    terms.push_back({0x1000001, -24});
    sum.add(0x1.000001p0);
    EXPECT_EQ(float_bits(static_cast<float>(sum.rounded_to_odd())),
              round_sum(terms.data(), terms.size()));
  }
}

}  // namespace
}  // namespace nibblecore
