// SPDX-License-Identifier: Apache-2.0
#include "model/machine/double_buffer.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(DoubleBuffer, StartsWithTwoFreeHalves) {
  DoubleBuffer buffer;
  EXPECT_EQ(buffer.free_halves(), 2);
  EXPECT_EQ(buffer.take(), 0);
  EXPECT_EQ(buffer.take(), 0);
  EXPECT_EQ(buffer.free_halves(), 0);
}

TEST(DoubleBuffer, AThirdFillBeforeARelease) {
  DoubleBuffer buffer;
  buffer.take();
  buffer.take();
  EXPECT_THROW(buffer.take(), InternalError);
}

TEST(DoubleBuffer, HalvesComeBackInTheOrderOfTheirRelease) {
  DoubleBuffer buffer;
  buffer.take();
  buffer.release(7);
  EXPECT_EQ(buffer.take(), 0);
  buffer.release(9);
  EXPECT_EQ(buffer.freed(0), 7);
  EXPECT_EQ(buffer.freed(1), 9);
  EXPECT_EQ(buffer.take(), 7);
  EXPECT_EQ(buffer.take(), 9);
  buffer.release(12);
  EXPECT_EQ(buffer.take(), 12);
}

TEST(DoubleBuffer, ShiftsBothHalves) {
  DoubleBuffer buffer;
  buffer.take();
  buffer.release(5);
  buffer.shift(10);
  EXPECT_EQ(buffer.take(), 10);
  EXPECT_EQ(buffer.take(), 15);
}

}  // namespace
}  // namespace nibblecore
