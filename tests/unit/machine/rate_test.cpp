// SPDX-License-Identifier: Apache-2.0
#include "model/machine/rate.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

TEST(Rate, WholeCyclesAroundExactMultiples) {
  constexpr Rate kWhole{256, 1};
  EXPECT_EQ(kWhole.duration(0), 0);
  EXPECT_EQ(kWhole.duration(1), 1);
  EXPECT_EQ(kWhole.duration(255), 1);
  EXPECT_EQ(kWhole.duration(256), 1);
  EXPECT_EQ(kWhole.duration(257), 2);
  EXPECT_EQ(kWhole.duration(512), 2);
}

TEST(Rate, FractionsAreRoundedUpOnceForTheWholeTransfer) {
  // 7 bytes in 3 cycles: 5 bytes take 15/7 cycles, 7 take 3, 8 take 24/7, 14 take 6.
  constexpr Rate kFraction{7, 3};
  EXPECT_EQ(kFraction.duration(5), 3);
  EXPECT_EQ(kFraction.duration(7), 3);
  EXPECT_EQ(kFraction.duration(8), 4);
  EXPECT_EQ(kFraction.duration(14), 6);
  EXPECT_EQ(kFraction.duration(15), 7);
}

TEST(Rate, ProductsPast64BitsAreExact) {
  EXPECT_EQ((Rate{kLargest, kLargest}.duration(kLargest)), kLargest);
  EXPECT_EQ((Rate{kLargest, kLargest - 1}.duration(kLargest)), kLargest - 1);
  EXPECT_EQ((Rate{int64_t{1} << 40, (int64_t{1} << 40) + 1}.duration(int64_t{1} << 40)),
            (int64_t{1} << 40) + 1);
}

TEST(Rate, CyclesPast64BitsAreRefused) {
  EXPECT_EQ((Rate{1, 2}.duration(kLargest / 2)), kLargest - 1);
  EXPECT_THAT(
      [] {
        (Rate{1, 2}.duration(kLargest / 2 + 1));
      },
      ThrowsMessage<InputError>(HasSubstr("cycles leave 64 bits")));
  EXPECT_THROW((Rate{1, kLargest}.duration(kLargest)), InputError);
}

TEST(MakeRate, GivesLowestTerms) {
  EXPECT_EQ(make_rate(256, 1), (Rate{256, 1}));
  EXPECT_EQ(make_rate(256'000'000'000, 1'000'000'000), (Rate{256, 1}));
  EXPECT_EQ(make_rate(6, 9), (Rate{2, 3}));
  EXPECT_EQ(make_rate(kLargest, kLargest), (Rate{1, 1}));
  EXPECT_FALSE(make_rate(2, 3) == (Rate{2, 5}));
  EXPECT_FALSE(make_rate(2, 3) == (Rate{4, 3}));
}

TEST(MakeRate, BothNumbersArePositive) {
  EXPECT_THROW(make_rate(0, 1), InputError);
  EXPECT_THROW(make_rate(1, 0), InputError);
  EXPECT_THROW(make_rate(-1, 1), InputError);
  EXPECT_THROW(make_rate(1, -1), InputError);
}

}  // namespace
}  // namespace nibblecore
