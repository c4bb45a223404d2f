// SPDX-License-Identifier: Apache-2.0
#include "model/formats/fp16.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"

namespace nibblecore {
namespace {

uint32_t fp32_of(uint32_t code) {
  return float_bits(static_cast<float>(decode_double(kFp16Format, code)));
}

TEST(Fp16, KnownNumbers) {
  EXPECT_EQ(decode_double(kFp16Format, 0x3C00), 1.0);
  EXPECT_EQ(decode_double(kFp16Format, 0x0001), 0x1p-24);
  EXPECT_EQ(decode_double(kFp16Format, 0x7BFF), 65504.0);
  EXPECT_EQ(decode_double(kFp16Format, 0xB555), -0x1.554p-2);
}

TEST(Fp16, EveryFiniteNumberIsOneAndItsNeighboursInFp32AreNot) {
  for (uint32_t code = 0; code < 0x7C00; ++code) {
    for (const uint32_t sign : {0U, 0x80000000U}) {
      const uint32_t bits = fp32_of(code) | sign;
      ASSERT_TRUE(fp32_is_fp16(bits)) << std::hex << code;
      ASSERT_FALSE(fp32_is_fp16(bits + 1)) << std::hex << code;
      ASSERT_FALSE(code != 0 && fp32_is_fp16(bits - 1)) << std::hex << code;
    }
  }
}

TEST(Fp16, MidpointsOfNeighboursAreNotNumbersOfIt) {
  for (uint32_t code = 0; code < 0x7BFF; ++code) {
    const double midpoint =
        (decode_double(kFp16Format, code) + decode_double(kFp16Format, code + 1)) / 2;
    ASSERT_FALSE(fp32_is_fp16(float_bits(static_cast<float>(midpoint)))) << std::hex << code;
  }
}

TEST(Fp16, BeyondTheLargestAndSpecials) {
  for (const float value : {65520.0F, 65536.0F, 0x1p-25F, HUGE_VALF, -HUGE_VALF, std::nanf("")}) {
    EXPECT_FALSE(fp32_is_fp16(float_bits(value))) << value;
  }
}

}  // namespace
}  // namespace nibblecore
