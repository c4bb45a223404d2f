// SPDX-License-Identifier: Apache-2.0
#include "model/synthetic/elementary.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/common/random_stream.hpp"

namespace nibblecore {
namespace {

constexpr RandomStream kRandom{11, Stream::kSyntheticData, 0};
constexpr double kPi = 3.14159265358979323846;

TEST(Elementary, LogarithmIsAccurate) {
  for (uint64_t i = 0; i < 2000; ++i) {
    const double x = std::ldexp(random_unit(kRandom, i), static_cast<int>(i % 200) - 100);
    const double expected = std::log(x);
    ASSERT_NEAR(portable_log(x), expected, 1e-15 * std::fabs(expected)) << x;
  }
  for (const double x : {0x1p-53, 1 - 0x1p-53, 1 + 0x1p-52, 0.7, 0.71, 1.41, 1.42}) {
    EXPECT_NEAR(portable_log(x), std::log(x), 1e-15 * std::fabs(std::log(x))) << x;
  }
  EXPECT_EQ(portable_log(1), 0);
}

TEST(Elementary, ExponentialIsAccurate) {
  for (uint64_t i = 0; i < 2000; ++i) {
    const double x = (random_unit(kRandom, i) - 0.5) * (i % 2 == 0 ? 2 : 150);
    ASSERT_NEAR(portable_exp(x), std::exp(x), 1e-15 * std::exp(x)) << x;
  }
  EXPECT_EQ(portable_exp(0), 1);
}

TEST(Elementary, CosineIsAccurate) {
  for (uint64_t i = 0; i < 2000; ++i) {
    const double x = random_unit(kRandom, i);
    ASSERT_NEAR(portable_cos_turns(x), std::cos(2 * kPi * x), 1e-15) << x;
  }
  EXPECT_EQ(portable_cos_turns(0), 1);
  EXPECT_EQ(portable_cos_turns(0.25), 0);
  EXPECT_EQ(portable_cos_turns(0.5), -1);
  EXPECT_EQ(portable_cos_turns(0.75), 0);
  EXPECT_EQ(portable_cos_turns(1), 1);
}

}  // namespace
}  // namespace nibblecore
