// SPDX-License-Identifier: Apache-2.0
#include "model/formats/e6m2.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"

namespace nibblecore {
namespace {

TEST(E6m2, EveryCodeHasItsPublishedValue) {
  for (uint32_t code = 0; code < 255; ++code) {
    const int exponent = static_cast<int>(code / 4) - 48;
    EXPECT_EQ(decode_double(kE6m2Format, code), std::ldexp(1 + (code % 4) / 4.0, exponent)) << code;
  }
  EXPECT_TRUE(std::isnan(decode_double(kE6m2Format, 255)));
  EXPECT_TRUE(decode(kE6m2Format, kE6m2Nan).is_nan);
}

/// 1 / ((4 + M) * 2^(E-2)) rounded to 8 significant bits, nearest even, by long division.
uint16_t rounded_reciprocal(uint32_t code) {
  const uint32_t divisor = 4 + code % 4;
  const int exponent = static_cast<int>(code / 4) - 50;
  const int scale = divisor == 4 ? 9 : 10;  // puts the quotient into 128..255
  const uint32_t dividend = uint32_t{1} << scale;
  uint32_t quotient = dividend / divisor;
  const uint32_t twice_rest = 2 * (dividend % divisor);
  if (twice_rest > divisor || (twice_rest == divisor && quotient % 2 == 1)) {
    ++quotient;
  }
  const int field = 127 + 7 - exponent - scale;
  return static_cast<uint16_t>(field * 128 + static_cast<int>(quotient) - 128);
}

TEST(E6m2, ReciprocalIsTheRoundedQuotientOfEveryCode) {
  for (uint32_t code = 0; code < 255; ++code) {
    EXPECT_EQ(e6m2_reciprocal_bf16(static_cast<uint8_t>(code)), rounded_reciprocal(code)) << code;
  }
}

TEST(E6m2, CheckPoints) {
  struct Point {
    uint32_t value;
    uint16_t reciprocal;
    uint8_t code;
  };
  const Point points[] = {
      {0x27800000, 0x5780, 0x00}, {0x27E00000, 0x5712, 0x03}, {0x39E00000, 0x4512, 0x93},
      {0x3F800000, 0x3F80, 0xC0}, {0x3FA00000, 0x3F4D, 0xC1}, {0x3FC00000, 0x3F2B, 0xC2},
      {0x3FE00000, 0x3F12, 0xC3}, {0x47200000, 0x37CD, 0xFD}, {0x47400000, 0x37AB, 0xFE}};
  for (const Point& point : points) {
    const auto value = static_cast<float>(decode_double(kE6m2Format, point.code));
    EXPECT_EQ(float_bits(value), point.value) << int{point.code};
    EXPECT_EQ(e6m2_reciprocal_bf16(point.code), point.reciprocal) << int{point.code};
  }
}

}  // namespace
}  // namespace nibblecore
