// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/bf16_multiply.hpp"

#include <random>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/bf16.hpp"

namespace nibblecore::hw {
namespace {

TEST(Bf16Multiply, EqualsTheIeeeProduct) {
  std::mt19937 random(5);
  for (int i = 0; i < 1'000'000; ++i) {
    const uint32_t magnitude = random() % 0x7F800000U;
    const auto factor = static_cast<uint16_t>(0x0080 + random() % (0x7F80 - 0x0080));
    const float product = bits_float(magnitude) * bits_float(bf16_to_fp32(factor));
    ASSERT_EQ(multiply_by_bf16(magnitude, factor), float_bits(product))
        << std::hex << magnitude << " * " << factor;
  }
}

TEST(Bf16Multiply, SubnormalsInAndOut) {
  EXPECT_EQ(multiply_by_bf16(1, 0x3F80), 1U);
  EXPECT_EQ(multiply_by_bf16(3, 0x3F00), 2U);  // 1.5 of the last place: tie to even
  EXPECT_EQ(multiply_by_bf16(1, 0x3F00), 0U);  // half of it: tie to zero
  EXPECT_EQ(multiply_by_bf16(0x00800000, 0x0080), 0U);
  EXPECT_EQ(multiply_by_bf16(0x7F7FFFFF, 0x4000), 0x7F800000U);
}

TEST(Bf16Multiply, ASignBitDoesNotFit) {
  EXPECT_THROW(multiply_by_bf16(0x80000001, 0x3F80), InternalError);
}

TEST(Bf16Round, EveryUpperHalfAroundItsTies) {
  for (uint32_t upper = 0; upper <= 0xFFFF; ++upper) {
    if ((upper & 0x7F80) == 0x7F80) {
      continue;
    }
    for (const uint32_t lower : {0x0000U, 0x0001U, 0x7FFFU, 0x8000U, 0x8001U, 0xFFFFU}) {
      const uint32_t bits = (upper << 16) | lower;
      // Of the two neighbours the nearer one, of equal distances the even one.
      const bool up = lower > 0x8000 || (lower == 0x8000 && upper % 2 == 1);
      ASSERT_EQ(round_to_bf16(bits), upper + (up ? 1 : 0)) << std::hex << bits;
    }
  }
  EXPECT_EQ(round_to_bf16(0x7F7FFFFF), 0x7F80);
  EXPECT_EQ(round_to_bf16(0xFF800000), 0xFF80);
}

}  // namespace
}  // namespace nibblecore::hw
