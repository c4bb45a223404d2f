// SPDX-License-Identifier: Apache-2.0
#include "model/reference/multiply_add.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "tests/support/multiply_add_operands.hpp"

namespace nibblecore {
namespace {

constexpr uint32_t kNan = 0x7FC00000;

uint32_t by_host(uint32_t a, uint32_t b, uint32_t c) {
  const float result = std::fma(bits_float(a), bits_float(b), bits_float(c));
  return std::isnan(result) ? kNan : float_bits(result);
}

TEST(MultiplyAddFp32, EqualsTheHosts) {
  test::MultiplyAddOperands operands(1);
  for (int i = 0; i < 500'000; ++i) {
    const auto [a, b, c] = operands.next();
    ASSERT_EQ(multiply_add_fp32(a, b, c), by_host(a, b, c))
        << std::hex << a << " * " << b << " + " << c;
  }
}

TEST(MultiplyAddFp32, Specials) {
  for (const uint32_t a : test::kSpecialFp32) {
    for (const uint32_t b : test::kSpecialFp32) {
      for (const uint32_t c : test::kSpecialFp32) {
        ASSERT_EQ(multiply_add_fp32(a, b, c), by_host(a, b, c))
            << std::hex << a << " * " << b << " + " << c;
      }
    }
  }
}

TEST(MultiplyAddFp32, ByHand) {
  // (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46: two roundings would leave nothing.
  EXPECT_EQ(multiply_add_fp32(0x3F800001, 0x3F800001, 0xBF800002), float_bits(0x1p-46F));
  EXPECT_EQ(multiply_add_fp32(0x80000000, 0x3F800000, 0x80000000), 0x80000000U);
  EXPECT_EQ(multiply_add_fp32(0x80000000, 0x3F800000, 0), 0U);
  EXPECT_EQ(multiply_add_fp32(0x3F800000, 0x3F800000, 0xBF800000), 0U);
  // -2^-149 * 2^-24 is not an exact zero, whatever it is added to.
  EXPECT_EQ(multiply_add_fp32(0x80000001, float_bits(0x1p-24F), 0), 0x80000000U);
  EXPECT_EQ(multiply_add_fp32(0x7F800000, 0x3F800000, 0xFF800000), kNan);
  EXPECT_EQ(multiply_add_fp32(0x7F800000, 0x80000000, 0x3F800000), kNan);
}

}  // namespace
}  // namespace nibblecore
