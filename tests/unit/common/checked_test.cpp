// SPDX-License-Identifier: Apache-2.0
#include "model/common/checked.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nibblecore {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
constexpr int64_t kSmallest = std::numeric_limits<int64_t>::min();

TEST(Checked, MultipliesUpToTheLastBit) {
  EXPECT_EQ(checked_multiply(kLargest / 7, 7, "x"), kLargest / 7 * 7);
  EXPECT_EQ(checked_multiply(int64_t{1} << 31, (int64_t{1} << 32) - 1, "x"),
            kLargest - (int64_t{1} << 31) + 1);
  EXPECT_EQ(checked_multiply(kSmallest / 2, 2, "x"), kSmallest);
  EXPECT_THROW(checked_multiply(int64_t{1} << 31, int64_t{1} << 32, "x"), InputError);
  EXPECT_THROW(checked_multiply(kSmallest, -1, "x"), InputError);
}

TEST(Checked, AddsUpToTheLastBit) {
  EXPECT_EQ(checked_add(kLargest - 1, 1, "x"), kLargest);
  EXPECT_THROW(checked_add(kLargest, 1, "x"), InputError);
  EXPECT_THROW(checked_add(kSmallest, -1, "x"), InputError);
}

TEST(Checked, ErrorNamesThePlaceAndBothSizes) {
  try {
    checked_multiply(kLargest, 3, "weights.safetensors");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::StartsWith("weights.safetensors: "),
                                             testing::HasSubstr("9223372036854775807 * 3")));
  }
}

TEST(Checked, DividesUpwards) {
  EXPECT_EQ(ceil_divide(0, 32), 0);
  EXPECT_EQ(ceil_divide(1, 32), 1);
  EXPECT_EQ(ceil_divide(32, 32), 1);
  EXPECT_EQ(ceil_divide(33, 32), 2);
  EXPECT_EQ(ceil_divide(kLargest, 2), int64_t{1} << 62);
}

}  // namespace
}  // namespace nibblecore
