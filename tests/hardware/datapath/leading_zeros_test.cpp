// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/leading_zeros.hpp"

#include <random>

#include <gtest/gtest.h>

namespace nibblecore::hw {
namespace {

TEST(LeadingZeros, EveryHighestBitOverEveryFillOfTheRest) {
  std::mt19937_64 random(11);
  for (int bit = 0; bit < 64; ++bit) {
    const uint64_t highest = uint64_t{1} << bit;
    EXPECT_EQ(leading_zeros(highest), 63 - bit);
    EXPECT_EQ(leading_zeros(highest | (highest - 1)), 63 - bit);
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(leading_zeros(highest | (random() & (highest - 1))), 63 - bit);
    }
  }
  EXPECT_EQ(leading_zeros(0), 63);
}

}  // namespace
}  // namespace nibblecore::hw
