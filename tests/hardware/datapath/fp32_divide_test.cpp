// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_divide.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore::hw {
namespace {

uint32_t host_quotient(uint32_t a, uint32_t b) {
  const float quotient = bits_float(a) / bits_float(b);
  return std::isnan(quotient) ? kFp32Nan : float_bits(quotient);
}

bool differs(uint32_t a, uint32_t b) { return fp32_divide(a, b) != host_quotient(a, b); }

TEST(Fp32Divide, EqualsIeeeDivisionOnRandomPatterns) {
  std::mt19937_64 random(20);
  int64_t different = 0;
  for (int i = 0; i < 10'000'000; ++i) {
    const uint64_t bits = random();
    different += differs(static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)) ? 1 : 0;
  }
  EXPECT_EQ(different, 0);
}

TEST(Fp32Divide, EqualsIeeeDivisionWhereQuotientsAreSubnormalOrOverflow) {
  std::mt19937_64 random(21);
  int64_t different = 0;
  for (int i = 0; i < 8'000'000; ++i) {
    const uint64_t bits = random();
    const auto divisor = static_cast<int32_t>((bits >> 56) % 255);
    // Fields of the quotient: around those of subnormals, or around the greatest one.
    const auto quotient = static_cast<int32_t>((bits >> 40) % 30) + (bits >> 55 & 1 ? 235 : -26);
    const auto numerator = static_cast<uint32_t>(std::clamp(quotient - 127 + divisor, 0, 254));
    const uint32_t a = (static_cast<uint32_t>(bits) & 0x807FFFFF) | numerator << 23;
    const uint32_t b =
        (static_cast<uint32_t>(bits >> 20) & 0x807FFFFF) | static_cast<uint32_t>(divisor) << 23;
    different += differs(a, b) ? 1 : 0;
  }
  EXPECT_EQ(different, 0);
}

TEST(Fp32Divide, EqualsIeeeDivisionOfSubnormalsOfEveryLength) {
  std::mt19937_64 random(22);
  int64_t different = 0;
  for (int i = 0; i < 4'000'000; ++i) {
    const uint64_t bits = random();
    const auto fraction = static_cast<uint32_t>(bits & 0x7FFFFF);
    const uint32_t subnormal = fraction >> (bits >> 56) % 23;
    const auto other = static_cast<uint32_t>(bits >> 24);
    different += differs(subnormal, other) || differs(other, subnormal) ||
                         differs(subnormal, other & 0x807FFFFF)
                     ? 1
                     : 0;
  }
  EXPECT_EQ(different, 0);
}

TEST(Fp32Divide, EqualsIeeeDivisionOnExactQuotientsAndTheirNeighbours) {
  // Numerators q * d are exact, and leave remainder 0; those one unit beside them leave the least
  // remainders there are. Quotients reach below the least subnormal number, where they tie.
  std::mt19937_64 random(23);
  int64_t different = 0;
  for (int i = 0; i < 4'000'000; ++i) {
    const uint64_t bits = random();
    const auto quotient = static_cast<float>(1 + bits % 0x1FFF);
    const auto divisor = static_cast<float>(1 + (bits >> 16) % 0x7FF);
    const int exponent = 80 + static_cast<int>((bits >> 32) % 30);
    const int below = static_cast<int>((bits >> 40) % 166);
    const uint32_t exact = float_bits(std::ldexp(quotient * divisor, exponent - below));
    const uint32_t numerator = exact + static_cast<uint32_t>(bits >> 60) % 3 - 1;
    different += differs(numerator, float_bits(std::ldexp(divisor, exponent))) ? 1 : 0;
  }
  EXPECT_EQ(different, 0);
}

TEST(Fp32Divide, EveryReciprocalOfABinade) {
  constexpr uint32_t kOne = 0x3F800000;
  int64_t different = 0;
  for (uint32_t fraction = 0; fraction < 0x800000; ++fraction) {
    different += differs(kOne, kOne | fraction) ? 1 : 0;
  }
  EXPECT_EQ(different, 0);
  for (uint32_t field = 0; field <= 255; ++field) {
    for (const uint32_t fraction : {0U, 1U, 0x400000U, 0x7FFFFFU}) {
      ASSERT_FALSE(differs(kOne, (field << 23) | fraction)) << field << ' ' << fraction;
    }
  }
}

TEST(Fp32Divide, EveryPairOfSpecials) {
  std::vector<uint32_t> values{0x00000000, 0x00000001, 0x00000002, 0x00000003, 0x00400000,
                               0x007FFFFF, 0x00800000, 0x00800001, 0x00FFFFFF, 0x01000000,
                               0x3F000000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x40000000,
                               0x40400000, 0x7E800000, 0x7F000000, 0x7F7FFFFE, 0x7F7FFFFF,
                               0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF};
  const size_t positive = values.size();
  for (size_t i = 0; i < positive; ++i) {
    values.push_back(values[i] | kFp32SignBit);
  }
  for (const uint32_t a : values) {
    for (const uint32_t b : values) {
      EXPECT_EQ(fp32_divide(a, b), host_quotient(a, b)) << std::hex << a << " / " << b;
    }
  }
}

}  // namespace
}  // namespace nibblecore::hw
