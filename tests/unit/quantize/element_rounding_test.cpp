// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/element_rounding.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "model/formats/e2m1.hpp"
#include "model/formats/s1p2.hpp"

namespace nibblecore {
namespace {

constexpr std::array<Rounding, 4> kAllRoundings{Rounding::kNearestEven, Rounding::kNearestAway,
                                                Rounding::kNearestZero, Rounding::kTowardZero};

/// Every multiple of 1/64 up to 8 with its neighbours in FP64: all limits and both sides of them.
std::vector<double> magnitudes() {
  std::vector<double> values;
  for (int i = 1; i <= 8 * 64; ++i) {
    const double value = i / 64.0;
    values.insert(values.end(), {std::nextafter(value, 0.0), value, std::nextafter(value, 9.0)});
  }
  return values;
}

void expect_same_as_round_magnitude(const NumberFormat& format, const ElementRounding& rounding,
                                    Rounding mode) {
  for (const double value : magnitudes()) {
    const uint32_t expected = round_magnitude(format, unrounded(value), mode, Overflow::kSaturate);
    ASSERT_EQ(rounding.code(value), expected) << format.name << " of " << value;
  }
}

TEST(ElementRounding, EqualsRoundMagnitude) {
  for (const Rounding mode : kAllRoundings) {
    expect_same_as_round_magnitude(kE2m1Format, e2m1_rounding(mode), mode);
    expect_same_as_round_magnitude(kS1p2Format, s1p2_rounding(mode), mode);
  }
}

TEST(ElementRounding, SpecialMagnitudes) {
  for (const Rounding mode : kAllRoundings) {
    for (const ElementRounding& rounding : {e2m1_rounding(mode), s1p2_rounding(mode)}) {
      EXPECT_EQ(rounding.code(0.0), 0);
      EXPECT_EQ(rounding.code(std::numeric_limits<double>::denorm_min()), 0);
      EXPECT_EQ(rounding.code(std::numeric_limits<double>::max()), 7);
      EXPECT_EQ(rounding.code(std::numeric_limits<double>::infinity()), 7);
      EXPECT_EQ(rounding.code(std::numeric_limits<double>::quiet_NaN()), 0);
    }
  }
}

TEST(ElementRounding, StochasticGoesUpWhereTheRandomBitsReachTheRest) {
  const ElementRounding& e2m1 = e2m1_rounding(Rounding::kStochastic);
  EXPECT_EQ(e2m1.code(2.5, 0x7FFF), 4);  // half way from 2 to 3
  EXPECT_EQ(e2m1.code(2.5, 0x8000), 5);
  EXPECT_EQ(e2m1.code(4.5, 0xBFFF), 6);  // a quarter of the way from 4 to 6
  EXPECT_EQ(e2m1.code(4.5, 0xC000), 7);
  EXPECT_EQ(e2m1.code(0x1p-17, 0xFFFF), 1);  // 2^-16 of the way from 0 to 0.5
  EXPECT_EQ(e2m1.code(0x1p-17, 0xFFFE), 0);
  EXPECT_EQ(e2m1.code(std::nextafter(0x1p-17, 0.0), 0xFFFF), 0);
  const ElementRounding& s1p2 = s1p2_rounding(Rounding::kStochastic);
  EXPECT_EQ(s1p2.code(0.3, 52428), 1);  // .2 of the way from .25 to .5: floor 13107
  EXPECT_EQ(s1p2.code(0.3, 52429), 2);
}

TEST(ElementRounding, StochasticGoesUpForItsShareOfAllRandomBits) {
  for (const double magnitude : {0.3, 1.25, 1.7499, 2.1, 5.99}) {
    const ElementRounding& rounding = e2m1_rounding(Rounding::kStochastic);
    const uint8_t lower = e2m1_rounding(Rounding::kTowardZero).code(magnitude);
    const double low = kE2m1Doubled[lower] / 2.0;
    const double high = kE2m1Doubled[lower + 1U] / 2.0;
    uint32_t up = 0;
    for (uint32_t random = 0; random < 0x10000; ++random) {
      const uint8_t code = rounding.code(magnitude, static_cast<uint16_t>(random));
      ASSERT_TRUE(code == lower || code == lower + 1) << magnitude;
      up += code - lower;
    }
    EXPECT_EQ(up, std::floor((magnitude - low) / (high - low) * 65536)) << magnitude;
  }
}

TEST(ElementRounding, StochasticKeepsNumbersOfTheFormatAndSaturates) {
  for (const uint32_t code : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
    EXPECT_EQ(e2m1_rounding(Rounding::kStochastic).code(kE2m1Doubled[code] / 2.0, 0xFFFF), code);
    EXPECT_EQ(s1p2_rounding(Rounding::kStochastic).code(code / 4.0, 0xFFFF), code);
  }
  const ElementRounding& e2m1 = e2m1_rounding(Rounding::kStochastic);
  EXPECT_EQ(e2m1.code(6.5, 0), 7);
  EXPECT_EQ(e2m1.code(std::numeric_limits<double>::infinity(), 0xFFFF), 7);
  EXPECT_EQ(e2m1.code(std::numeric_limits<double>::quiet_NaN(), 0xFFFF), 0);
}

TEST(ElementRounding, OtherRoundingsHeedNoRandomBits) {
  for (const Rounding mode : kAllRoundings) {
    for (const double value : magnitudes()) {
      ASSERT_EQ(e2m1_rounding(mode).code(value, 0xFFFF), e2m1_rounding(mode).code(value));
    }
  }
}

}  // namespace
}  // namespace nibblecore
