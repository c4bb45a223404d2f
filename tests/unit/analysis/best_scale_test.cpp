// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/best_scale.hpp"

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "model/quantize/element_rounding.hpp"

namespace nibblecore {
namespace {

template <size_t Count>
double squared_error(const std::array<float, Count>& values, double scale) {
  constexpr std::array<double, 8> kMagnitudes{0, 0.5, 1, 1.5, 2, 3, 4, 6};
  double sum = 0;
  for (const float value : values) {
    const double magnitude = std::fabs(static_cast<double>(value));
    const uint8_t code = e2m1_rounding(Rounding::kNearestEven).code(magnitude / scale);
    sum += std::pow(kMagnitudes[code] * scale - magnitude, 2);
  }
  return sum;
}

TEST(BestScale, MakesGridValuesExact) {
  const std::array<float, 4> values{0.375F, -0.75F, 0, 4.5F};  // 0.5, -1, 0, 6 times 0.75
  EXPECT_EQ(best_real_scale(values.data(), 4), 0.75);
}

TEST(BestScale, OfOneValueIsExact) {
  const std::array<float, 1> value{-5.0F};
  EXPECT_EQ(squared_error(value, best_real_scale(value.data(), 1)), 0);
}

// 7 and 1: scale 7/6 makes 1 to 7/6; by hand the codes 6 and 1 at 43/37 leave 50 - 43^2/37, and the
// codes 4 and 0.5 at 28.5/16.25 leave 50 - 28.5^2/16.25, less.
TEST(BestScale, TakesTheBestOfAllCodes) {
  const std::array<float, 2> values{7, 1};
  EXPECT_DOUBLE_EQ(best_real_scale(values.data(), 2), 28.5 / 16.25);
}

TEST(BestScale, BeatsEveryScaleOfAFineSearch) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  for (int trial = 0; trial < 20; ++trial) {
    std::array<float, 32> values{};
    for (float& value : values) {
      value = normal(random);
    }
    const double least = squared_error(values, best_real_scale(values.data(), 32));
    for (double scale = 0.01; scale < 3; scale *= 1.003) {
      ASSERT_LE(least, squared_error(values, scale) * (1 + 1e-12)) << scale;
    }
  }
}

}  // namespace
}  // namespace nibblecore
