// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_multiply.hpp"

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/datapath/fp32_pack.hpp"
#include "model/common/bits.hpp"

namespace nibblecore::hw {
namespace {

uint32_t host_product(uint32_t a, uint32_t b) {
  const float product = bits_float(a) * bits_float(b);
  return product != product ? kQuietNan : float_bits(product);
}

TEST(Fp32Multiply, EqualsIeeeMultiplicationOnRandomPatterns) {
  std::mt19937_64 random(4);
  int64_t different = 0;
  for (int i = 0; i < 3'000'000; ++i) {
    const uint64_t bits = random();
    const auto a = static_cast<uint32_t>(bits);
    const auto b = static_cast<uint32_t>(bits >> 32);
    different += host_product(a, b) == fp32_multiply(a, b) ? 0 : 1;
  }
  EXPECT_EQ(different, 0);
}

TEST(Fp32Multiply, EqualsIeeeMultiplicationWhereResultsAreSubnormalOrOverflow) {
  std::mt19937_64 random(5);
  int64_t different = 0;
  for (int i = 0; i < 2'000'000; ++i) {
    const uint64_t bits = random();
    const uint32_t field = static_cast<uint32_t>(bits >> 56) % 255;
    const bool overflow = (bits >> 55 & 1) != 0;
    const auto target = static_cast<int32_t>(overflow ? 380 : 127) - static_cast<int32_t>(field) -
                        static_cast<int32_t>((bits >> 40) % 30) + 3;
    const auto other = static_cast<uint32_t>(target < 0 ? 0 : target > 254 ? 254 : target);
    const uint32_t a = (static_cast<uint32_t>(bits) & 0x807FFFFF) | field << 23;
    const uint32_t b = (static_cast<uint32_t>(bits >> 20) & 0x807FFFFF) | other << 23;
    different += host_product(a, b) == fp32_multiply(a, b) ? 0 : 1;
  }
  EXPECT_EQ(different, 0);
}

TEST(Fp32Multiply, Specials) {
  constexpr std::array<uint32_t, 12> kValues{0x00000000, 0x80000000, 0x00000001, 0x80000001,
                                             0x3F800000, 0xBF800000, 0x7F7FFFFF, 0x7F800000,
                                             0xFF800000, 0x7FC00000, 0xFF800001, 0x007FFFFF};
  for (const uint32_t a : kValues) {
    for (const uint32_t b : kValues) {
      EXPECT_EQ(host_product(a, b), fp32_multiply(a, b)) << std::hex << a << " * " << b;
    }
  }
}

}  // namespace
}  // namespace nibblecore::hw
