// SPDX-License-Identifier: Apache-2.0
#include "model/formats/number_format.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/formats/bf16.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/s1p2.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

struct Expected {
  NumberFormat format;
  int width;
  int min_exponent;
  uint32_t largest_code;
  double largest;
};

TEST(NumberFormat, LimitsOfEveryFormat) {
  const Expected table[] = {{kE2m1Format, 4, 0, 7, 6},
                            {kS1p2Format, 4, 0, 7, 1.75},
                            {kE8m0Format, 8, -127, 254, 0x1p127},
                            {kE6m2Format, 8, -48, 254, 49152},
                            {kUe4m3Format, 7, -6, 0x7E, 448},
                            {kBf16Format, 16, -126, 0x7F7F, 0x1.FEp127},
                            {kFp32Format, 32, -126, 0x7F7FFFFF, 0x1.FFFFFEp127}};
  for (const Expected& expected : table) {
    EXPECT_EQ(expected.format.width(), expected.width) << expected.format.name;
    EXPECT_EQ(expected.format.min_exponent(), expected.min_exponent) << expected.format.name;
    EXPECT_EQ(expected.format.largest_code(), expected.largest_code) << expected.format.name;
    EXPECT_EQ(decode_double(expected.format, expected.largest_code), expected.largest)
        << expected.format.name;
  }
}

TEST(NumberFormat, MagnitudesGrowWithTheirCodes) {
  for (const NumberFormat& format :
       {kE2m1Format, kS1p2Format, kE8m0Format, kE6m2Format, kUe4m3Format, kBf16Format}) {
    for (uint32_t code = 1; code <= format.largest_code(); ++code) {
      ASSERT_LT(decode_double(format, code - 1), decode_double(format, code))
          << format.name << " " << code;
    }
  }
}

TEST(NumberFormat, DecodeGivesTheStoredSignificand) {
  const ExactNumber subnormal = decode(kFp32Format, 0x80000003);
  EXPECT_TRUE(subnormal.negative);
  EXPECT_EQ(subnormal.significand, 3U);
  EXPECT_EQ(subnormal.exponent, -149);
  const ExactNumber normal = decode(kFp32Format, 0x00800003);
  EXPECT_EQ(normal.significand, 0x800003U);
  EXPECT_EQ(normal.exponent, -149);
  const ExactNumber scale = decode(kUe4m3Format, 0x9A);  // bit 7 is no sign
  EXPECT_FALSE(scale.negative);
  EXPECT_EQ(scale.significand, 10U);
  EXPECT_EQ(scale.exponent, -7);
}

TEST(NumberFormat, SpecialsKeepTheirSign) {
  EXPECT_TRUE(decode(kBf16Format, 0xFF80).is_infinite);
  EXPECT_EQ(decode_double(kBf16Format, 0xFF80), -HUGE_VAL);
  EXPECT_EQ(decode_double(kFp32Format, 0x7F800000), HUGE_VAL);
  EXPECT_TRUE(decode(kFp32Format, 0x7F800001).is_nan);
  EXPECT_FALSE(decode(kFp32Format, 0x7F800001).is_infinite);
  EXPECT_FALSE(decode(kFp32Format, 0x7F7FFFFF).is_nan);
}

}  // namespace
}  // namespace nibblecore
