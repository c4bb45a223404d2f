// SPDX-License-Identifier: Apache-2.0
#include "model/reference/exact_sum.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "tests/unit/reference/fp32_definition.hpp"

namespace nibblecore {
namespace {

using Terms = std::vector<ExactTerm>;

constexpr uint32_t kMinusZero = 0x80000000;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr uint32_t kLargest = 0x7F7FFFFF;
constexpr uint32_t kNan = 0x7FC00000;

uint32_t rounded(const Terms& terms) { return round_sum(terms.data(), terms.size()); }

uint32_t by_definition(const Terms& terms) {
  FixedPoint sum = 0;
  for (const ExactTerm& term : terms) {
    sum += fixed_point(term.significand, term.exponent);
  }
  return nearest_fp32(sum);
}

Terms negated(Terms terms) {
  for (ExactTerm& term : terms) {
    term.significand = -term.significand;
  }
  return terms;
}

/// Operands for a binary operation: everywhere, and where roundings are decided.
class OperandPairs {
 public:
  struct Pair {
    uint32_t a;
    uint32_t b;
  };

  Pair next() {
    switch (count_++ % 5) {
      case 0:
        return {finite(below(0x7F800000)), finite(below(0x7F800000))};
      case 1:
        return nearly_opposite();
      case 2:
        return half_an_ulp_apart();
      case 3:  // subnormals and the smallest normals
        return {finite(below(3U << 23)), finite(below(3U << 23))};
      default:  // about the largest number
        return {finite(kLargest - below(1U << below(25))), finite((225 + below(30)) << 23)};
    }
  }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  uint32_t finite(uint32_t magnitude) { return magnitude | (below(2) << 31); }

  Pair nearly_opposite() {
    const uint32_t a = finite(4 + below(kLargest - 8));
    return {a, (a ^ 0x80000000) + below(9) - 4};
  }

  /// b about 2^-20 to 2^-28 of a, its fraction mostly 0: ties and their neighbours.
  Pair half_an_ulp_apart() {
    const uint32_t field = 30 + below(225);
    const uint32_t fractions[] = {0, 0, 0, 1, 0x400000, 0x7FFFFF, below(0x800000)};
    return {finite((field << 23) + below(0x800000)),
            finite(((field - 20 - below(9)) << 23) + fractions[below(7)])};
  }

  std::mt19937 random_{1};
  uint32_t count_ = 0;
};

TEST(RoundSum, EqualsTheHostsAddition) {
  OperandPairs pairs;
  for (int i = 0; i < 1'500'000; ++i) {
    const auto [a, b] = pairs.next();
    const ExactTerm terms[] = {exact_term(a), exact_term(b)};
    const float sum = bits_float(a) + bits_float(b);
    // The host gives -0 for (-0) + (-0) alone; here an exact zero is +0.
    ASSERT_EQ(round_sum(terms, 2), sum == 0 ? 0 : float_bits(sum)) << std::hex << a << " + " << b;
  }
}

TEST(RoundSum, EqualsTheDefinitionOverAllBlockExponents) {
  std::mt19937 random(2);
  for (int i = 0; i < 100'000; ++i) {
    Terms terms(1 + random() % 8);
    // Half of the sums have neighbouring exponents, so that their terms carry and cancel.
    const int spread = i % 2 == 0 ? 509 : 30;
    const int lowest = -256 + static_cast<int>(random() % static_cast<uint32_t>(510 - spread));
    for (ExactTerm& term : terms) {
      const int64_t magnitude = random() >> (random() % 32);
      term = {random() % 2 == 0 ? magnitude : -magnitude,
              lowest + static_cast<int>(random() % static_cast<uint32_t>(spread))};
    }
    ASSERT_EQ(rounded(terms), by_definition(terms)) << "case " << i;
  }
}

TEST(RoundSum, FarthestTermBreaksATie) {
  for (int distance = 1; distance <= 300; ++distance) {
    // 2^24 + 1 lies between an even pattern below and an odd one above, 2^24 + 3 the other way.
    const ExactTerm low_even{0x1000001, 0};
    const ExactTerm high_even{0x1000003, 0};
    EXPECT_EQ(rounded({low_even, {1, -distance}}), 0x4B800001U) << distance;
    EXPECT_EQ(rounded({low_even, {-1, -distance}}), 0x4B800000U) << distance;
    EXPECT_EQ(rounded({high_even, {1, -distance}}), 0x4B800002U) << distance;
    EXPECT_EQ(rounded({high_even, {-1, -distance}}), 0x4B800001U) << distance;
  }
  EXPECT_EQ(rounded({{0x1000001, 0}}), 0x4B800000U);
  EXPECT_EQ(rounded({{0x1000003, 0}}), 0x4B800002U);
}

// Up to 126 bits of span and count a 128-bit integer serves, beyond them a wider one.
TEST(RoundSum, SpansAboutTheWidthOfTheShortInteger) {
  std::mt19937 random(3);
  for (int span = 100; span <= 140; ++span) {
    for (int i = 0; i < 200; ++i) {
      const int64_t top = (int64_t{1} << 39) + static_cast<int64_t>(random() % (uint64_t{1} << 32));
      Terms terms(1 + random() % 40, ExactTerm{top, span - 140});
      terms.push_back({static_cast<int64_t>(random() % 1000) + 1, -100});
      ASSERT_EQ(rounded(terms), by_definition(terms)) << span;
      ASSERT_EQ(rounded(negated(terms)), by_definition(negated(terms))) << span;
    }
  }
}

TEST(RoundSum, ShortAndWideIntegersAgree) {
  std::mt19937 random(4);
  for (int i = 0; i < 100'000; ++i) {
    Terms terms(1 + random() % 6);
    for (ExactTerm& term : terms) {
      term = {static_cast<int64_t>(random()) - (int64_t{1} << 31),
              static_cast<int>(random() % 60) - 170};
    }
    const uint32_t short_path = rounded(terms);
    // Two terms that cancel leave the sum as it is, but widen it past 128 bits.
    terms.push_back({12345, 60});
    terms.push_back({-12345, 60});
    ASSERT_EQ(rounded(terms), short_path) << "case " << i;
  }
}

TEST(RoundSum, ManyOfTheLargestTerms) {
  constexpr int64_t kLargestSignificand = (int64_t{1} << 40) - 1;
  constexpr int kCount = (1 << 20) - 1;
  // 106 bits of span and 20 of count fill the short integer; 108 and 20 would overflow it.
  for (const int exponent : {26, 27, 28}) {
    Terms terms(kCount - 1, {kLargestSignificand, exponent});
    terms.push_back({1, -40});
    const FixedPoint sum =
        fixed_point(kLargestSignificand, exponent) * (kCount - 1) + fixed_point(1, -40);
    EXPECT_EQ(rounded(terms), nearest_fp32(sum)) << exponent;
    EXPECT_EQ(rounded(negated(terms)), nearest_fp32(-sum)) << exponent;
  }
}

// Block products times macro factors and an alpha reach further than block products.
TEST(RoundSum, EqualsTheDefinitionToTheEndsOfItsRange) {
  std::mt19937_64 random(6);
  constexpr int kLowest = -460;
  constexpr int kHighest = 380;
  for (int i = 0; i < 20'000; ++i) {
    Terms terms(1 + random() % 8);
    // A span of 1 puts all terms at one exponent, the last one of all exponents.
    const int span = i % 3 == 0 ? 1 : i % 3 == 1 ? 130 : kHighest - kLowest + 1;
    const int lowest =
        kLowest + static_cast<int>(random() % static_cast<uint64_t>(kHighest - kLowest + 2 - span));
    for (ExactTerm& term : terms) {
      const auto magnitude = static_cast<int64_t>(random() >> (4 + random() % 60));
      term = {random() % 2 == 0 ? magnitude : -magnitude,
              lowest + static_cast<int>(random() % static_cast<uint64_t>(span))};
    }
    ASSERT_EQ(rounded(terms), by_definition(terms)) << "case " << i;
  }
  constexpr int64_t kLargestSignificand = (int64_t{1} << 60) - 1;
  EXPECT_EQ(rounded({{kLargestSignificand, kHighest}, {-1, kLowest}}), kInfinity);
  EXPECT_EQ(rounded({{1, kHighest}, {-1, kHighest}, {-1, kLowest}}), kMinusZero);
}

TEST(RoundSum, OverflowStartsHalfAStepBeyondTheLargestNumber) {
  const ExactTerm bound{(1 << 25) - 1, 103};  // 2^128 - 2^103
  EXPECT_EQ(rounded({bound}), kInfinity);
  EXPECT_EQ(rounded({bound, {1, -256}}), kInfinity);
  EXPECT_EQ(rounded({bound, {-1, -256}}), kLargest);
  EXPECT_EQ(rounded({bound, {-1, 102}}), kLargest);
  EXPECT_EQ(rounded(negated({bound})), kMinusZero | kInfinity);
  EXPECT_EQ(rounded(negated({bound, {-1, -256}})), kMinusZero | kLargest);
  EXPECT_EQ(rounded({{1, 128}}), kInfinity);
  EXPECT_EQ(rounded({{int64_t{1} << 40, 300}}), kInfinity);
  EXPECT_EQ(rounded({{1, 300}, {-1, 300}, {1, 0}}), 0x3F800000U);
}

TEST(RoundSum, UnderflowIsGradual) {
  EXPECT_EQ(rounded({{1, -149}}), 1U);
  EXPECT_EQ(rounded({{1, -150}}), 0U);  // a tie: zero is even
  EXPECT_EQ(rounded({{1, -150}, {1, -256}}), 1U);
  EXPECT_EQ(rounded({{1, -150}, {-1, -256}}), 0U);
  EXPECT_EQ(rounded({{3, -150}}), 2U);  // a tie between 1 and 2
  EXPECT_EQ(rounded({{5, -150}}), 2U);  // a tie between 2 and 3
  EXPECT_EQ(rounded({{3, -151}}), 1U);
  EXPECT_EQ(rounded({{(1 << 24) - 1, -150}}), 0x00800000U);  // carries into the normal numbers
}

TEST(RoundSum, SignOfZero) {
  EXPECT_EQ(rounded({}), 0U);
  EXPECT_EQ(rounded({{0, 5}}), 0U);
  EXPECT_EQ(rounded({{0, -300}, {0, 300}}), 0U);
  EXPECT_EQ(rounded({{7, -256}, {-7, -256}}), 0U);
  EXPECT_EQ(rounded({{1, 252}, {-(1 << 30), 222}}), 0U);
  EXPECT_EQ(rounded({exact_term(kMinusZero)}), 0U);
  // Not an exact zero: the sign of the sum stays.
  EXPECT_EQ(rounded({{-1, -150}}), kMinusZero);
  EXPECT_EQ(rounded({{-1, -300}}), kMinusZero);
  EXPECT_EQ(rounded({{-1, -150}, {-1, -256}}), kMinusZero | 1U);
  EXPECT_EQ(rounded({{1, -300}}), 0U);
}

TEST(RoundSum, ZeroTermsHaveNoExponent) {
  EXPECT_EQ(rounded({{3, 0}, {0, 300}, {0, -300}}), 0x40400000U);
}

TEST(ExactTerm, IsTheNumber) {
  const uint32_t numbers[] = {0, 1, 0x007FFFFF, 0x00800000, 0x3F800001, 0xC0490FDB, kLargest};
  for (const uint32_t bits : numbers) {
    const ExactTerm term = exact_term(bits);
    EXPECT_EQ(std::ldexp(static_cast<double>(term.significand), term.exponent),
              static_cast<double>(bits_float(bits)));
  }
}

TEST(MultiplyFp32, EqualsTheHostsMultiplication) {
  OperandPairs pairs;
  std::mt19937 random(5);
  for (int i = 0; i < 1'500'000; ++i) {
    auto [a, b] = pairs.next();
    if (i % 2 == 0) {
      // A product in the subnormal range, or 12 bits times 12 bits: ties.
      b = (b & 0x80000000) | (((127 + random() % 12 - 6) << 23) + (random() % 4096 << 11));
      a &= 0xFFFFF800;
    }
    const float product = bits_float(a) * bits_float(b);
    ASSERT_EQ(multiply_fp32(a, b), float_bits(product)) << std::hex << a << " * " << b;
  }
}

TEST(MultiplyFp32, Specials) {
  const uint32_t magnitudes[] = {0,          1,          0x007FFFFF, 0x00800000,
                                 0x3F800000, 0x3FC00001, kLargest,   kInfinity,
                                 0x7F800001, kNan,       0x7FFFFFFF};
  for (const uint32_t x : magnitudes) {
    for (const uint32_t y : magnitudes) {
      for (const uint32_t a : {x, x | 0x80000000}) {
        for (const uint32_t b : {y, y | 0x80000000}) {
          const float product = bits_float(a) * bits_float(b);
          EXPECT_EQ(multiply_fp32(a, b), std::isnan(product) ? kNan : float_bits(product))
              << std::hex << a << " * " << b;
        }
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore
