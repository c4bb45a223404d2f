// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/scoreboard.hpp"

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

TEST(Scoreboard, CountsBitsThatDifferAndNamesTheFirst) {
  const std::vector<uint32_t> expected{0x3F800000, 0x00000000, 0x7FC00000, 1, 2, 3};
  std::vector<uint32_t> found = expected;
  EXPECT_EQ(compare_bits(expected, found, 3).mismatches, 0);
  EXPECT_FALSE(compare_bits(expected, found, 3).first);
  found[1] = 0x80000000;  // the other zero is another bit pattern
  found[5] = 4;
  const Comparison comparison = compare_bits(expected, found, 3);
  EXPECT_EQ(comparison.outputs, 6);
  EXPECT_EQ(comparison.mismatches, 2);
  ASSERT_TRUE(comparison.first);
  EXPECT_EQ(comparison.first->row, 0);
  EXPECT_EQ(comparison.first->column, 1);
  EXPECT_EQ(comparison.first->expected, 0U);
  EXPECT_EQ(comparison.first->found, 0x80000000U);
  EXPECT_THROW(compare_bits(expected, {1, 2}, 3), InternalError);
}

}  // namespace
}  // namespace nibblecore::tb
