// SPDX-License-Identifier: Apache-2.0
#include "model/formats/e8m0.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"

namespace nibblecore {
namespace {

TEST(E8m0, EveryCodeIsAPowerOfTwoOrNan) {
  for (uint32_t code = 0; code < 255; ++code) {
    EXPECT_EQ(decode_double(kE8m0Format, code), std::ldexp(1.0, static_cast<int>(code) - 127))
        << code;
  }
  EXPECT_TRUE(std::isnan(decode_double(kE8m0Format, 255)));
  EXPECT_TRUE(decode(kE8m0Format, kE8m0Nan).is_nan);
}

TEST(E8m0, EndsAreFp32Numbers) {
  EXPECT_EQ(float_bits(static_cast<float>(decode_double(kE8m0Format, 0))), 0x00400000U);
  EXPECT_EQ(float_bits(static_cast<float>(decode_double(kE8m0Format, 254))), 0x7F000000U);
}

}  // namespace
}  // namespace nibblecore
