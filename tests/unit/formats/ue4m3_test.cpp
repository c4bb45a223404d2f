// SPDX-License-Identifier: Apache-2.0
#include "model/formats/ue4m3.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/formats/rounding.hpp"

namespace nibblecore {
namespace {

TEST(Ue4m3, EveryCodeHasItsPublishedValue) {
  for (uint32_t code = 0; code < 256; ++code) {
    const uint32_t field = (code / 8) % 16;  // bit 7 is ignored
    const uint32_t mantissa = code % 8;
    const double value = decode_double(kUe4m3Format, code);
    if (code % 128 == 0x7F) {
      EXPECT_TRUE(std::isnan(value)) << code;
    } else if (field == 0) {
      EXPECT_EQ(value, mantissa * 0x1p-9) << code;
    } else {
      EXPECT_EQ(value, std::ldexp(8 + mantissa, static_cast<int>(field) - 10)) << code;
    }
    EXPECT_FALSE(std::signbit(value)) << code;
  }
}

TEST(Ue4m3, CheckPoints) {
  EXPECT_EQ(decode_double(kUe4m3Format, 0x00), 0);
  EXPECT_EQ(decode_double(kUe4m3Format, 0x01), 0x1p-9);
  EXPECT_EQ(decode_double(kUe4m3Format, 0x08), 0x1p-6);
  EXPECT_EQ(decode_double(kUe4m3Format, 0x38), 1);
  EXPECT_EQ(decode_double(kUe4m3Format, 0x77), 240);
  EXPECT_EQ(decode_double(kUe4m3Format, 0x78), 256);
  EXPECT_EQ(decode_double(kUe4m3Format, 0x7E), 448);
  EXPECT_TRUE(decode(kUe4m3Format, kUe4m3Nan).is_nan);
}

TEST(Ue4m3, CastsAtTheEndsOfTheRange) {
  const auto cast = [](double value) {
    return round_magnitude(kUe4m3Format, unrounded(value), Rounding::kNearestEven,
                           Overflow::kSaturate);
  };
  EXPECT_EQ(cast(432), 0x7EU);  // a tie between 416 and 448
  EXPECT_EQ(cast(431.9), 0x7DU);
  for (const double value : {448.0, 464.0, 465.0, 480.0, 1e30}) {
    EXPECT_EQ(cast(value), 0x7EU) << value;
  }
  EXPECT_EQ(cast(0x1p-10), 0x00U);  // a tie, to even
  EXPECT_EQ(cast(0x1.8p-10), 0x01U);
  EXPECT_EQ(cast(0x1.8p-9), 0x02U);  // a tie, to even
  EXPECT_EQ(cast(0x1p-30), 0x00U);
}

}  // namespace
}  // namespace nibblecore
