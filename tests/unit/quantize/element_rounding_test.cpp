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

}  // namespace
}  // namespace nibblecore
