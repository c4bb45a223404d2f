// SPDX-License-Identifier: Apache-2.0
#include "model/common/bits.hpp"

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

TEST(Bits, FloatsAndTheirBitsAreTheSameThing) {
  EXPECT_EQ(float_bits(-1.5F), 0xBFC00000U);
  EXPECT_EQ(bits_float(0x00000001), 0x1p-149F);
  EXPECT_EQ(float_bits(bits_float(0xFFC12345)), 0xFFC12345U);
}

TEST(Bits, WidthIsOneMoreThanTheTopBit) {
  EXPECT_EQ(bit_width(0), 0);
  for (int top = 0; top < 64; ++top) {
    const uint64_t power = uint64_t{1} << top;
    EXPECT_EQ(bit_width(power), top + 1);
    EXPECT_EQ(bit_width(power | (power - 1)), top + 1);
  }
}

TEST(Bits, WidthOf128Bits) {
  EXPECT_EQ(bit_width128(0), 0);
  for (int top = 0; top < 128; ++top) {
    const Uint128 power = Uint128{1} << top;
    EXPECT_EQ(bit_width128(power), top + 1);
    EXPECT_EQ(bit_width128(power | (power - 1)), top + 1);
  }
}

}  // namespace
}  // namespace nibblecore
