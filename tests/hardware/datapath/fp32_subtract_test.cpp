// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_subtract.hpp"

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/datapath/fp32_pack.hpp"
#include "model/common/bits.hpp"

namespace nibblecore::hw {
namespace {

/// The host's IEEE subtraction, with one NaN.
uint32_t host_difference(uint32_t a, uint32_t b) {
  const float difference = bits_float(a) - bits_float(b);
  return difference != difference ? kQuietNan : float_bits(difference);
}

TEST(Fp32Subtract, EqualsIeeeSubtractionOnRandomPatterns) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 1'000'000; ++i) {
    const uint64_t bits = random();
    const auto a = static_cast<uint32_t>(bits);
    const auto b = static_cast<uint32_t>(bits >> 32);
    ASSERT_EQ(fp32_subtract(a, b), host_difference(a, b)) << std::hex << a << ' ' << b;
  }
}

TEST(Fp32Subtract, EqualsIeeeSubtractionOnNearExponents) {
  std::mt19937_64 random(10);
  for (int i = 0; i < 2'000'000; ++i) {
    const uint64_t bits = random();
    const auto a = static_cast<uint32_t>(bits);
    const uint32_t field = ((a >> 23) + static_cast<uint32_t>(bits >> 58) % 56 + 228) & 0xFF;
    const uint32_t b = (static_cast<uint32_t>(bits >> 32) & 0x807FFFFF) | (field << 23);
    ASSERT_EQ(fp32_subtract(a, b), host_difference(a, b)) << std::hex << a << ' ' << b;
  }
}

TEST(Fp32Subtract, EqualsIeeeSubtractionOnDirectedPairs) {
  constexpr std::array<uint32_t, 16> kMagnitudes{0x00000000, 0x00000001, 0x00000002, 0x007FFFFF,
                                                 0x00800000, 0x00800001, 0x01000000, 0x3F7FFFFF,
                                                 0x3F800000, 0x3F800001, 0x4B800000, 0x4B800001,
                                                 0x7F000000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000};
  for (const uint32_t a : kMagnitudes) {
    for (const uint32_t b : kMagnitudes) {
      for (const uint32_t signs : {0U, 1U, 2U, 3U}) {
        const uint32_t x = a | (signs << 31);
        const uint32_t y = b | ((signs >> 1) << 31);
        EXPECT_EQ(fp32_subtract(x, y), host_difference(x, y)) << std::hex << x << ' ' << y;
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore::hw
