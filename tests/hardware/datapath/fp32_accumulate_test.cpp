// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_accumulate.hpp"

#include <array>
#include <random>

#include <gtest/gtest.h>

#include "hw/datapath/fp32_pack.hpp"
#include "model/common/bits.hpp"
#include "model/reference/exact_sum.hpp"

namespace nibblecore::hw {
namespace {

/// The host's IEEE addition, with the accumulator's one NaN.
uint32_t host_sum(uint32_t accumulator, uint32_t term) {
  const float sum = bits_float(accumulator) + bits_float(term);
  return sum != sum ? kQuietNan : float_bits(sum);
}

/// A finite FP32 number as the accumulator's term.
uint32_t accumulate_number(uint32_t accumulator, uint32_t term) {
  const Fp32Fields fields = unpack_fp32(term);
  const auto significand = static_cast<int32_t>(fields.significand);
  return fp32_accumulate(accumulator, fields.negative ? -significand : significand,
                         fields.exponent);
}

bool usable_term(uint32_t bits) { return (bits & 0x7F800000) != 0x7F800000 && bits != kSignBit; }

int64_t differences(uint32_t accumulator, uint32_t term) {
  if (!usable_term(term)) {
    return 0;
  }
  return host_sum(accumulator, term) == accumulate_number(accumulator, term) ? 0 : 1;
}

TEST(Fp32Accumulate, EqualsIeeeAdditionOnRandomPatterns) {
  std::mt19937_64 random(1);
  int64_t different = 0;
  for (int i = 0; i < 4'000'000; ++i) {
    const uint64_t bits = random();
    different += differences(static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32));
  }
  EXPECT_EQ(different, 0);
}

TEST(Fp32Accumulate, EqualsIeeeAdditionOnNearExponents) {
  // Random patterns rarely lie within 30 binades of each other: here cancellation and rounding
  // work.
  std::mt19937_64 random(2);
  int64_t different = 0;
  for (int i = 0; i < 6'000'000; ++i) {
    const uint64_t bits = random();
    const auto accumulator = static_cast<uint32_t>(bits);
    const uint32_t distance = static_cast<uint32_t>(bits >> 58) % 60;
    const uint32_t field = (accumulator >> 23) & 0xFF;
    const uint32_t other_field = (field + distance + 226) % 255;
    const uint32_t term = (static_cast<uint32_t>(bits >> 32) & 0x807FFFFF) | (other_field << 23);
    different += differences(accumulator, term);
  }
  EXPECT_EQ(different, 0);
}

TEST(Fp32Accumulate, EqualsIeeeAdditionOnDirectedPairs) {
  // Significands whose sums tie, carry and cancel, over every pair of exponent fields at most 30
  // apart, all four sign combinations, subnormals and the largest binade included.
  constexpr std::array<uint32_t, 8> kFractions{0x000000, 0x000001, 0x000002, 0x3FFFFF,
                                               0x400000, 0x400001, 0x7FFFFE, 0x7FFFFF};
  int64_t different = 0;
  int64_t pairs = 0;
  for (uint32_t field = 0; field < 255; ++field) {
    for (uint32_t other = field; other < 255 && other <= field + 30; ++other) {
      for (const uint32_t fraction : kFractions) {
        for (const uint32_t other_fraction : kFractions) {
          for (uint32_t signs = 0; signs < 4; ++signs) {
            const uint32_t x = ((signs & 1) << 31) | (field << 23) | fraction;
            const uint32_t y = ((signs >> 1) << 31) | (other << 23) | other_fraction;
            different += differences(x, y) + differences(y, x);
            pairs += 2;
          }
        }
      }
    }
  }
  EXPECT_EQ(different, 0);
  EXPECT_GT(pairs, 3'000'000);
}

TEST(Fp32Accumulate, EqualsTheReferenceOverEveryExponent) {
  std::mt19937_64 random(3);
  int64_t different = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const uint64_t bits = random();
    uint32_t accumulator = static_cast<uint32_t>(bits);
    accumulator = (accumulator & 0x7F800000) == 0x7F800000 ? 0 : accumulator;
    const auto exponent = static_cast<int32_t>((bits >> 32) % 509) - 256;
    const auto significand = static_cast<int32_t>((bits >> 44) % 9217) - 4608;
    const std::array<ExactTerm, 2> terms{exact_term(accumulator), ExactTerm{significand, exponent}};
    different +=
        round_sum(terms.data(), terms.size()) == fp32_accumulate(accumulator, significand, exponent)
            ? 0
            : 1;
  }
  EXPECT_EQ(different, 0);
}

TEST(Fp32Accumulate, ReferenceAgreesAtEveryDistanceAndWidth) {
  // Every exponent against accumulators that sit at a boundary: smallest and largest subnormal and
  // normal, powers of two, all ones.
  constexpr std::array<uint32_t, 12> kAccumulators{0x00000000, 0x80000000, 0x00000001, 0x807FFFFF,
                                                   0x00800000, 0x80800001, 0x3F800000, 0xBF800000,
                                                   0x3FFFFFFF, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F000000};
  constexpr std::array<int32_t, 8> kSignificands{1, -1, 3, -4608, 4607, 0x7FFFFF, -0xFFFFFF, 0};
  for (const uint32_t accumulator : kAccumulators) {
    for (int32_t exponent = -256; exponent <= 252; ++exponent) {
      for (const int32_t significand : kSignificands) {
        const std::array<ExactTerm, 2> terms{exact_term(accumulator),
                                             ExactTerm{significand, exponent}};
        ASSERT_EQ(round_sum(terms.data(), terms.size()),
                  fp32_accumulate(accumulator, significand, exponent))
            << std::hex << accumulator << " + " << significand << " * 2^" << std::dec << exponent;
      }
    }
  }
}

TEST(Fp32Accumulate, KeepsInfinityAndTurnsEveryNanIntoOne) {
  EXPECT_EQ(fp32_accumulate(0x7F800000, -0xFFFFFF, 104), 0x7F800000U);
  EXPECT_EQ(fp32_accumulate(0xFF800000, 1, 252), 0xFF800000U);
  EXPECT_EQ(fp32_accumulate(0x7F800001, 0, 0), 0x7FC00000U);
  EXPECT_EQ(fp32_accumulate(0xFFFFFFFF, 1, 0), 0x7FC00000U);
}

TEST(Fp32Accumulate, ZeroSigns) {
  EXPECT_EQ(fp32_accumulate(0x80000000, 0, 0), 0U) << "-0 plus an exact zero is +0";
  EXPECT_EQ(fp32_accumulate(0xBF800000, 1, 0), 0U) << "cancellation gives +0";
  EXPECT_EQ(fp32_accumulate(0, -1, -256), 0x80000000U)
      << "a negative sum that rounds to zero is -0";
  EXPECT_EQ(fp32_accumulate(0x80000000, 1, -256), 0U);
}

}  // namespace
}  // namespace nibblecore::hw
