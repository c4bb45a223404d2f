// SPDX-License-Identifier: Apache-2.0
#include "model/formats/s1p2.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(S1p2, EveryCodeIsItsMagnitudeInQuarters) {
  for (uint32_t code = 0; code < 16; ++code) {
    const double value = decode_double(kS1p2Format, code);
    EXPECT_EQ(std::fabs(value), (code % 8) * 0.25) << code;
    EXPECT_EQ(std::signbit(value), code >= 8) << code;
    EXPECT_EQ(s1p2_quarters(code), 4 * value) << code;
  }
}

TEST(S1p2, ProductsOfAllPairsAreExactSixteenths) {
  for (uint32_t a = 0; a < 16; ++a) {
    for (uint32_t b = 0; b < 16; ++b) {
      EXPECT_EQ(s1p2_quarters(a) * s1p2_quarters(b) / 16.0,
                decode_double(kS1p2Format, a) * decode_double(kS1p2Format, b))
          << a << ", " << b;
    }
  }
}

}  // namespace
}  // namespace nibblecore
