// SPDX-License-Identifier: Apache-2.0
#include "model/machine/cycle_counts.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(CycleCounts, TotalHoldsEveryCause) {
  EXPECT_EQ(CycleCounts{}.total(), 0);
  EXPECT_EQ((CycleCounts{1000, 200, 30, 4}).total(), 1234);
}

TEST(CycleCounts, SumsCauseByCause) {
  CycleCounts sum{1, 2, 3, 4};
  sum.add(CycleCounts{10, 20, 30, 40}, 1);
  EXPECT_EQ(sum, (CycleCounts{11, 22, 33, 44}));
  sum.add(CycleCounts{1, 0, 2, 0}, 3);
  EXPECT_EQ(sum, (CycleCounts{14, 22, 39, 44}));
}

TEST(CycleCounts, EqualInEveryCause) {
  const CycleCounts counts{1, 2, 3, 4};
  EXPECT_FALSE(counts == (CycleCounts{0, 2, 3, 4}));
  EXPECT_FALSE(counts == (CycleCounts{1, 0, 3, 4}));
  EXPECT_FALSE(counts == (CycleCounts{1, 2, 0, 4}));
  EXPECT_FALSE(counts == (CycleCounts{1, 2, 3, 0}));
}

}  // namespace
}  // namespace nibblecore
