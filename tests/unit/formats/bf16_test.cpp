// SPDX-License-Identifier: Apache-2.0
#include "model/formats/bf16.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "model/formats/fp32.hpp"
#include "model/formats/rounding.hpp"

namespace nibblecore {
namespace {

TEST(Bf16, EveryCodeIsTheUpperHalfOfFp32AndComesBack) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    const auto bf16 = static_cast<uint16_t>(code);
    const uint32_t fp32 = bf16_to_fp32(bf16);
    ASSERT_EQ(fp32, code << 16);
    const bool is_nan = (code & 0x7FFF) > 0x7F80;
    ASSERT_EQ(bf16_from_fp32(fp32), is_nan ? (code | 0x40) : code) << std::hex << code;
    if (!is_nan) {
      ASSERT_EQ(float_bits(static_cast<float>(decode_double(kBf16Format, code))), fp32);
    }
  }
}

/// The generic rounding of the same finite number.
uint32_t generic(uint32_t bits) {
  const uint32_t magnitude = round_magnitude(kBf16Format, unrounded(double{bits_float(bits)}),
                                             Rounding::kNearestEven, Overflow::kInfinity);
  return magnitude | (bits >> 31 << 15);
}

TEST(Bf16, RoundsLikeTheGenericRoundingAroundEveryTie) {
  for (uint32_t upper = 0; upper < 0x10000; ++upper) {
    for (const uint32_t lower : {0x0001U, 0x7FFFU, 0x8000U, 0x8001U, 0xFFFFU}) {
      const uint32_t bits = upper << 16 | lower;
      if (fp32_is_finite(bits)) {
        ASSERT_EQ(bf16_from_fp32(bits), generic(bits)) << std::hex << bits;
      }
    }
  }
}

TEST(Bf16, RoundsLikeTheGenericRoundingOnRandomPatterns) {
  std::mt19937 random(8);
  for (int i = 0; i < 3'000'000; ++i) {
    const auto bits = static_cast<uint32_t>(random());
    if (fp32_is_finite(bits)) {
      ASSERT_EQ(bf16_from_fp32(bits), generic(bits)) << std::hex << bits;
    }
  }
}

TEST(Bf16, LargestFp32BecomesInfinityAndNanStaysQuiet) {
  EXPECT_EQ(bf16_from_fp32(kFp32LargestFinite), 0x7F80);
  EXPECT_EQ(bf16_from_fp32(0x7F7F7FFF), 0x7F7F);
  EXPECT_EQ(bf16_from_fp32(0xFF800000), 0xFF80);
  EXPECT_EQ(bf16_from_fp32(0x7F800001), 0x7FC0);
  EXPECT_EQ(bf16_from_fp32(0xFFFFFFFF), 0xFFFF);
}

TEST(Bf16, RoundsAFloatInPlace) {
  EXPECT_EQ(round_to_bf16(1.0F / 7.0F), 0.142578125F);
  EXPECT_EQ(round_to_bf16(1.00390625F), 1.0F);         // a tie, to even
  EXPECT_EQ(round_to_bf16(-1.01171875F), -1.015625F);  // a tie, to even
}

}  // namespace
}  // namespace nibblecore
