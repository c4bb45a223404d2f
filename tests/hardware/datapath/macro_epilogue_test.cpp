// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/macro_epilogue.hpp"

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"

namespace nibblecore::hw {
namespace {

float host_fp16(uint16_t code) {
  const int field = code >> 10;
  const auto fraction = static_cast<float>(code & 0x3FF);
  return field == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, field - 25);
}

uint32_t canonical(float value) { return value != value ? kQuietNan : float_bits(value); }

TEST(Fp16Factor, DecodesEveryPositiveFiniteCode) {
  for (uint16_t code = 0; code < 0x7C00; ++code) {
    const FactorFields fields = fp16_fields(code);
    ASSERT_EQ(std::ldexp(static_cast<float>(fields.significand), fields.exponent), host_fp16(code))
        << code;
    ASSERT_LT(fields.significand, 2048U);
  }
}

TEST(Fp16Factor, ProductsAreExact) {
  std::mt19937 random(3);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto a = static_cast<uint16_t>(random() % 0x7C00);
    const auto b = static_cast<uint16_t>(random() % 0x7C00);
    const FactorFields product = factor_product(fp16_fields(a), fp16_fields(b));
    ASSERT_LT(product.significand, 1U << 22);
    ASSERT_EQ(std::ldexp(static_cast<double>(product.significand), product.exponent),
              static_cast<double>(host_fp16(a)) * static_cast<double>(host_fp16(b)));
  }
}

/// Sums and accumulators at every distance, specials among them.
class MacroEpilogueTest : public testing::TestWithParam<MacroEpilogue> {
 protected:
  static uint32_t host(uint32_t sum, float factor, uint32_t accumulator) {
    const float x = bits_float(sum);
    const float y = bits_float(accumulator);
    if (GetParam() == MacroEpilogue::kFused) {
      return canonical(std::fmaf(x, factor, y));
    }
    const float product = x * factor;
    return canonical(product + y);
  }
};

TEST_P(MacroEpilogueTest, EqualsTheHosts) {
  std::mt19937_64 random(4);
  constexpr std::array<uint32_t, 12> kSpecials{0x00000000, 0x80000000, 0x00000001, 0x807FFFFF,
                                               0x00800000, 0x3F800000, 0x7F7FFFFF, 0xFF7FFFFF,
                                               0x7F800000, 0xFF800000, 0x7FC00000, 0xFF800001};
  int64_t different = 0;
  for (int i = 0; i < 3'000'000; ++i) {
    const uint64_t bits = random();
    const auto a = static_cast<uint16_t>(1 + bits % 0x7BFF);
    const auto b = static_cast<uint16_t>(1 + (bits >> 16) % 0x7BFF);
    auto sum = static_cast<uint32_t>(random());
    const float factor = host_fp16(a) * host_fp16(b);
    const float product = std::fabs(bits_float(sum) * factor);
    // About the product's exponent, or anywhere.
    auto accumulator = static_cast<uint32_t>(bits >> 32);
    if (i % 4 != 0 && product > 0 && product < 1e38F) {
      const auto field = static_cast<int64_t>(float_bits(product) >> 23) +
                         static_cast<int64_t>((bits >> 40) % 80) - 40;
      accumulator = (accumulator & 0x807FFFFF) | (static_cast<uint32_t>(field < 0     ? 0
                                                                        : field > 254 ? 254
                                                                                      : field)
                                                  << 23);
    }
    if (i % 64 == 0) {
      accumulator = float_bits(-bits_float(sum) * factor);  // cancels, or nearly
    } else if (i % 64 == 1) {
      sum = kSpecials.at((bits >> 8) % kSpecials.size());
      accumulator = kSpecials.at((bits >> 24) % kSpecials.size());
    }
    const FactorFields fields = factor_product(fp16_fields(a), fp16_fields(b));
    different +=
        macro_epilogue(GetParam(), sum, fields, accumulator) == host(sum, factor, accumulator) ? 0
                                                                                               : 1;
  }
  EXPECT_EQ(different, 0);
}

TEST_P(MacroEpilogueTest, SignsOfZeroAndInfinities) {
  constexpr FactorFields kOne{1, 0};
  const auto of = [&](uint32_t sum, uint32_t accumulator) {
    return macro_epilogue(GetParam(), sum, kOne, accumulator);
  };
  EXPECT_EQ(of(0, 0x80000000), 0U);
  EXPECT_EQ(of(0x80000000, 0x80000000), 0x80000000U);
  EXPECT_EQ(of(0x3F800000, 0xBF800000), 0U);
  EXPECT_EQ(of(0x7F800000, 0xFF800000), kQuietNan);
  EXPECT_EQ(of(0xFF800000, 0x3F800000), 0xFF800000U);
  EXPECT_EQ(of(0x3F800000, 0x7F800000), 0x7F800000U);
  EXPECT_EQ(of(0x7FA00000, 0x7F800000), kQuietNan);
}

INSTANTIATE_TEST_SUITE_P(BothOrders, MacroEpilogueTest,
                         testing::Values(MacroEpilogue::kFused, MacroEpilogue::kSeparate));

TEST(MacroEpilogue, OneRoundingOrTwo) {
  // (1 + 2^-23) * 2047 / 2048 is not an FP32 number.
  const FactorFields factor{2047, -11};
  const uint32_t product = float_bits(bits_float(0x3F800001) * (2047.0F / 2048));
  EXPECT_EQ(macro_epilogue(MacroEpilogue::kSeparate, 0x3F800001, factor, product ^ kSignBit), 0U);
  EXPECT_NE(macro_epilogue(MacroEpilogue::kFused, 0x3F800001, factor, product ^ kSignBit), 0U);
}

}  // namespace
}  // namespace nibblecore::hw
