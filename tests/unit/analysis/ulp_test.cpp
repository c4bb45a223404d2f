// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/ulp.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

constexpr uint32_t kOne = 0x3F800000;
constexpr uint32_t kLargest = 0x7F7FFFFF;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kNan = 0x7FC00000;

TEST(UlpDistance, CountsStepsBetweenNeighbours) {
  EXPECT_EQ(ulp_distance(kOne, kOne), 0U);
  EXPECT_EQ(ulp_distance(kOne, kOne + 1), 1U);
  EXPECT_EQ(ulp_distance(kOne + 1, kOne - 2), 3U);      // across a power of two
  EXPECT_EQ(ulp_distance(0x007FFFFF, 0x00800000), 1U);  // subnormal to normal
  EXPECT_EQ(ulp_distance(kSign | kOne, kSign | (kOne + 7)), 7U);
}

TEST(UlpDistance, ZerosAreOnePoint) {
  EXPECT_EQ(ulp_distance(0, kSign), 0U);
  EXPECT_EQ(ulp_distance(0x00000001, kSign), 1U);
  EXPECT_EQ(ulp_distance(0x00000002, kSign | 0x00000003), 5U);
  EXPECT_EQ(ulp_distance(kSign | kOne, kOne), 2 * kOne);
}

TEST(UlpDistance, InfinityFollowsTheLargestNumber) {
  EXPECT_EQ(ulp_distance(kLargest, kInfinity), 1U);
  EXPECT_EQ(ulp_distance(kInfinity, kInfinity), 0U);
  EXPECT_EQ(ulp_distance(kInfinity, kSign | kInfinity), 0xFF000000U);
}

TEST(UlpDistance, NanIsFarFromNumbersOnly) {
  EXPECT_EQ(ulp_distance(kNan, 0xFFFFFFFF), 0U);
  EXPECT_EQ(ulp_distance(kNan, kInfinity), std::nullopt);
  EXPECT_EQ(ulp_distance(0, 0x7F800001), std::nullopt);
}

TEST(UlpHistogram, BinsMeetAndCoverEveryDistance) {
  const std::vector<UlpBin> bins = UlpHistogram().bins();
  const char* const labels[] = {"0", "1", "2", "3-4", "5-8", "9-16", "17-32"};
  for (size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(bins[i].label(), labels[i]);
  }
  for (size_t i = 1; i < bins.size(); ++i) {
    EXPECT_EQ(bins[i].first, bins[i - 1].last + 1);
  }
  EXPECT_EQ(bins.back().last, 0xFF000000U);
}

TEST(UlpHistogram, CountsInTheBinThatHoldsTheDistance) {
  const std::vector<UlpBin> empty = UlpHistogram().bins();
  for (size_t i = 0; i < empty.size(); ++i) {
    for (const uint32_t distance : {empty[i].first, empty[i].last}) {
      UlpHistogram histogram;
      const uint32_t positive = std::min(distance, kInfinity);
      histogram.add(positive, kSign | (distance - positive));
      EXPECT_EQ(histogram.bins()[i].count, 1U) << distance;
      EXPECT_EQ(histogram.max(), distance);
    }
  }
}

TEST(UlpHistogram, MergesCountsMaximumAndMismatches) {
  UlpHistogram first;
  first.add(kOne, kOne);
  first.add(kOne, kOne + 4);
  first.add(kNan, kOne);
  UlpHistogram second;
  second.add(kOne, kOne + 3);
  second.add(kOne, kOne + 6);
  second.add(kOne, kNan);
  second.add(kNan, kNan);
  first += second;
  EXPECT_EQ(first.count(), 7U);
  EXPECT_EQ(first.nan_mismatches(), 2U);
  EXPECT_EQ(first.max(), 6U);
  const std::vector<UlpBin> bins = first.bins();
  EXPECT_EQ(bins[0].count, 2U);
  EXPECT_EQ(bins[1].count, 0U);
  EXPECT_EQ(bins[3].count, 2U);
  EXPECT_EQ(bins[4].count, 1U);
}

}  // namespace
}  // namespace nibblecore
