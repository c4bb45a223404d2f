// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/scale_factor.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "hw/datapath/e8m0_scale.hpp"
#include "hw/datapath/hif4_scale.hpp"
#include "hw/datapath/ue4m3_scale.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore::hw {
namespace {

/// All 256 codes, and all pairs of them: the product of the fields is the product of the numbers,
/// times the squared unit of the elements. Every number here is exact in FP64.
void check_all_codes(const NumberFormat& format, double unit, ScaleFactor (*fields)(uint8_t)) {
  for (int a = 0; a < 256; ++a) {
    const ScaleFactor x = fields(static_cast<uint8_t>(a));
    const ExactNumber expected = decode(format, static_cast<uint32_t>(a));
    ASSERT_EQ(x.is_nan, expected.is_nan) << format.name << " code " << a;
    if (x.is_nan) {
      continue;
    }
    const double value = decode_double(format, static_cast<uint32_t>(a)) * unit;
    ASSERT_EQ(std::ldexp(x.significand, x.exponent), value) << format.name << " code " << a;
    for (int b = 0; b < 256; ++b) {
      const ScaleFactor product = multiply(x, fields(static_cast<uint8_t>(b)));
      const ExactNumber other = decode(format, static_cast<uint32_t>(b));
      ASSERT_EQ(product.is_nan, other.is_nan);
      if (!other.is_nan) {
        ASSERT_EQ(std::ldexp(product.significand, product.exponent),
                  value * decode_double(format, static_cast<uint32_t>(b)) * unit)
            << format.name << " codes " << a << ", " << b;
      }
    }
  }
}

TEST(ScaleFactor, E8m0AllPairs) {
  check_all_codes(kE8m0Format, 0.5, [](uint8_t code) { return e8m0_fields(code); });
}

TEST(ScaleFactor, Ue4m3AllPairs) {
  check_all_codes(kUe4m3Format, 0.5, [](uint8_t code) { return ue4m3_fields(code); });
}

TEST(ScaleFactor, Hif4AllPairs) {
  check_all_codes(kE6m2Format, 0.25, [](uint8_t code) { return hif4_fields(code); });
}

TEST(ScaleFactor, RangesAreTheDeclaredOnes) {
  EXPECT_EQ(multiply(e8m0_fields(0), e8m0_fields(0)).exponent, -256);
  EXPECT_EQ(multiply(e8m0_fields(254), e8m0_fields(254)).exponent, 252);
  EXPECT_EQ(multiply(hif4_fields(0x00), hif4_fields(0x00)).exponent, -104);
  EXPECT_EQ(multiply(hif4_fields(0xFE), hif4_fields(0xFE)).exponent, 22);
  EXPECT_EQ(multiply(hif4_fields(0xC3), hif4_fields(0xC3)).significand, 49);
  EXPECT_EQ(multiply(ue4m3_fields(0x7E), ue4m3_fields(0x77)).significand, 14 * 15);
  EXPECT_EQ(multiply(ue4m3_fields(0), ue4m3_fields(0x7E)).significand, 0);
}

}  // namespace
}  // namespace nibblecore::hw
