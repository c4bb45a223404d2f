// SPDX-License-Identifier: Apache-2.0
#include "model/import/microseconds.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

std::optional<int64_t> of(const char* text) { return nanoseconds(boost::json::value(text)); }

TEST(Microseconds, IntegersAreScaled) {
  EXPECT_EQ(nanoseconds(1661203462598772), 1661203462598772000);
  EXPECT_EQ(nanoseconds(-3), -3000);
  EXPECT_EQ(nanoseconds(int64_t{9223372036854775807}), std::nullopt);
  EXPECT_EQ(nanoseconds(nullptr), std::nullopt);
}

// As doubles the first two would be equal.
TEST(Microseconds, DecimalsAreExact) {
  EXPECT_EQ(of("1661203462598772.124"), 1661203462598772124);
  EXPECT_EQ(of("1661203462598772.125"), 1661203462598772125);
  EXPECT_EQ(of("0.5"), 500);
  EXPECT_EQ(of("7.0019"), 7001);
  EXPECT_EQ(of("7.25"), 7250);
}

TEST(Microseconds, ExponentsAndSigns) {
  EXPECT_EQ(of("1.5e3"), 1500000);
  EXPECT_EQ(of("-0.5"), -500);
  EXPECT_EQ(of("1e300"), std::nullopt);
  EXPECT_EQ(of("9223372036854775.900"), std::nullopt);
}

TEST(Microseconds, OtherTextIsNone) {
  for (const char* const text : {"", ".", "1.2.3", "soon", "1.5 ", "nan", "inf"}) {
    EXPECT_EQ(of(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace nibblecore
