// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/multiply_add.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "tests/support/multiply_add_operands.hpp"

namespace nibblecore {
namespace {

bool same(float x, float y) {
  return float_bits(x) == float_bits(y) || (std::isnan(x) && std::isnan(y));
}

TEST(MultiplyAdd, EqualsTheHostsFusedOne) {
  test::MultiplyAddOperands operands(2);
  for (int i = 0; i < 2'000'000; ++i) {
    const auto [a, b, c] = operands.next();
    const float x = bits_float(a);
    const float y = bits_float(b);
    const float z = bits_float(c);
    ASSERT_TRUE(same(multiply_add(x, y, z), std::fma(x, y, z)))
        << std::hex << a << " * " << b << " + " << c;
  }
}

TEST(MultiplyAdd, Specials) {
  for (const uint32_t a : test::kSpecialFp32) {
    for (const uint32_t b : test::kSpecialFp32) {
      for (const uint32_t c : test::kSpecialFp32) {
        const float x = bits_float(a);
        const float y = bits_float(b);
        const float z = bits_float(c);
        ASSERT_TRUE(same(multiply_add(x, y, z), std::fma(x, y, z)))
            << std::hex << a << " * " << b << " + " << c;
      }
    }
  }
}

// Products that are midpoints of FP32, from which the addend is too far for FP64 to keep it.
TEST(MultiplyAdd, RoundsOnce) {
  for (const float tiny : {0x1p-60F, 0x1p-149F}) {
    EXPECT_EQ(multiply_add(97, 172961, tiny), 0x1.000002p24F);  // 2^24 + 1, a tie to 2^24
    EXPECT_EQ(multiply_add(97, 172961, -tiny), 0x1p24F);
    EXPECT_EQ(multiply_add(-97, 172961, -tiny), -0x1.000002p24F);
    EXPECT_EQ(multiply_add(-97, 172961, tiny), -0x1p24F);
    EXPECT_EQ(multiply_add(1549, 10831, -tiny), 0x1.000002p24F);  // 2^24 + 3, a tie to 2^24 + 4
    EXPECT_EQ(multiply_add(1549, 10831, tiny), 0x1.000004p24F);
  }
  EXPECT_EQ(multiply_add(97, 172961, 0), 0x1p24F);
  EXPECT_EQ(multiply_add(1549, 10831, 0), 0x1.000004p24F);
}

}  // namespace
}  // namespace nibblecore
