// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/moments.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

Moments moments_of(const std::vector<double>& values) {
  return nibblecore::moments_of(values.data(), static_cast<int64_t>(values.size()));
}

void expect_five(const Moments& moments) {
  EXPECT_EQ(moments.count, 5);
  EXPECT_EQ(moments.mean, 4);
  EXPECT_EQ(moments.squares, 40);
  EXPECT_EQ(moments.cubes, 90);
  EXPECT_EQ(moments.fourths, 724);
  EXPECT_EQ(moments.variance(), 8);
  EXPECT_EQ(moments.kurtosis(), 724.0 / 5 / 64);
}

TEST(Moments, OfNumbers) { expect_five(moments_of({1, 2, 3, 5, 9})); }

TEST(Moments, MergeToThoseOfAllNumbers) {
  Moments merged;
  merged += moments_of({});
  merged += moments_of({1, 2, 3});
  merged += Moments{};
  merged += moments_of({5, 9});
  expect_five(merged);
  Moments other_order = moments_of({5, 9});
  other_order += moments_of({1, 2, 3});
  expect_five(other_order);
}

TEST(Moments, OfNoNumbersAreZero) {
  const Moments none = moments_of({});
  EXPECT_EQ(none.count, 0);
  EXPECT_EQ(none.variance(), 0);
  EXPECT_EQ(none.deviation(), 0);
  EXPECT_EQ(none.kurtosis(), 0);
}

TEST(Moments, OfEqualNumbersHaveNoSpread) {
  Moments merged = moments_of({0.1, 0.1});
  for (int i = 0; i < 10; ++i) {
    merged += moments_of({0.1, 0.1});
  }
  EXPECT_EQ(merged.mean, 0.1);
  EXPECT_EQ(merged.deviation(), 0);
}

TEST(Moments, KeepASmallSpreadBesideALargeMean) {
  // Differences of raw power sums would lose all of it: mean^4 is 2^160.
  Moments merged;
  for (int i = 0; i < 64; ++i) {
    merged += moments_of({0x1p40 - 1, 0x1p40 + 1, 0x1p40 + 1, 0x1p40 - 1});
  }
  EXPECT_EQ(merged.count, 256);
  EXPECT_EQ(merged.mean, 0x1p40);
  EXPECT_EQ(merged.deviation(), 1);
  EXPECT_EQ(merged.kurtosis(), 1);
}

}  // namespace
}  // namespace nibblecore
