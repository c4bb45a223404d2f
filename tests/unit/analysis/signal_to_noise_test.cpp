// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/signal_to_noise.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(SignalToNoise, IsTenTimesTheDecimalLogarithmOfTheRatio) {
  SignalToNoise ratio;
  ratio.add(8, 8);
  ratio.add(-6, -7);
  EXPECT_EQ(ratio.signal(), 100);
  EXPECT_EQ(ratio.noise(), 1);
  EXPECT_EQ(ratio.decibels(), 20.0);
  SignalToNoise worse;
  worse.add(1, 11);
  EXPECT_EQ(worse.decibels(), -20.0);
}

TEST(SignalToNoise, MergesSums) {
  SignalToNoise left;
  left.add(3, 1);
  SignalToNoise right;
  right.add(4, 7);
  left += right;
  EXPECT_EQ(left.signal(), 25);
  EXPECT_EQ(left.noise(), 13);
}

TEST(SignalToNoise, IsNoneWithoutSignalNoiseOrOutputs) {
  EXPECT_EQ(SignalToNoise().decibels(), std::nullopt);
  SignalToNoise exact;
  exact.add(5, 5);
  EXPECT_EQ(exact.decibels(), std::nullopt);
  SignalToNoise silent;
  silent.add(0, 1);
  EXPECT_EQ(silent.decibels(), std::nullopt);
}

TEST(SignalToNoise, IsNoneWhereASumIsNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [reference, value] :
       {std::pair<double, double>{infinity, 1}, {1, infinity}, {nan, 1}, {1, nan}}) {
    SignalToNoise ratio;
    ratio.add(2, 1);
    ratio.add(reference, value);
    EXPECT_EQ(ratio.decibels(), std::nullopt) << reference << ", " << value;
  }
}

}  // namespace
}  // namespace nibblecore
