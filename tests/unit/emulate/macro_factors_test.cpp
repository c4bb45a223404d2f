// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/macro_factors.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(MacroFactors, StandSideBySideForNeighbouringRows) {
  const MacroScales macro{64, {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F}};
  const MacroFactors factors(&macro, 3, 100, 64, 2);
  for (int64_t row = 0; row < 3; ++row) {
    EXPECT_EQ(*factors.of(0, row), static_cast<float>(2 * row + 1));
    EXPECT_EQ(*factors.of(1, row), static_cast<float>(2 * row + 2));
  }
  EXPECT_EQ(factors.of(1, 0) - factors.of(0, 0), 4);  // two tiles of two rows
  EXPECT_EQ(*factors.of(1, 3), 1.0F);                 // past the end
}

TEST(MacroFactors, AreOneWithoutMacroScales) {
  const MacroFactors factors(nullptr, 5, 256, 128, 4);
  for (int64_t row = 0; row < 8; ++row) {
    EXPECT_EQ(*factors.of(1, row), 1.0F);
  }
}

}  // namespace
}  // namespace nibblecore
