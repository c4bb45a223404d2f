// SPDX-License-Identifier: Apache-2.0
#include "model/formats/e2m1.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

constexpr double kMagnitudes[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};

TEST(E2m1, EveryCodeHasItsPublishedValue) {
  for (uint32_t code = 0; code < 16; ++code) {
    const double value = decode_double(kE2m1Format, code);
    EXPECT_EQ(std::fabs(value), kMagnitudes[code % 8]) << code;
    EXPECT_EQ(std::signbit(value), code >= 8) << code;
    EXPECT_EQ(kE2m1Doubled[code], 2 * value) << code;
  }
}

TEST(E2m1, ProductsOfAllPairsAreExactQuarters) {
  int largest = 0;
  for (uint32_t a = 0; a < 16; ++a) {
    for (uint32_t b = 0; b < 16; ++b) {
      const int product = kE2m1Doubled[a] * kE2m1Doubled[b];
      EXPECT_EQ(product / 4.0, decode_double(kE2m1Format, a) * decode_double(kE2m1Format, b))
          << a << ", " << b;
      largest = std::max(largest, product);
    }
  }
  EXPECT_EQ(largest, 144);
}

}  // namespace
}  // namespace nibblecore
