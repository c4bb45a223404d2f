// SPDX-License-Identifier: Apache-2.0
// The policy `blackwell-mxf8f6f4` on values found by hand from its published model; there are no
// results of others to compare with.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/reference/gemm.hpp"

namespace nibblecore {
namespace {

constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kNan = 0x7FFFFFFF;

// E2M1 codes.
constexpr uint8_t kHalf = 1;
constexpr uint8_t kOne = 2;
constexpr uint8_t kThreeHalves = 3;
constexpr uint8_t kTwo = 4;
constexpr uint8_t kThree = 5;
constexpr uint8_t kSix = 7;
constexpr uint8_t kMinus = 8;

using Outcome = std::pair<uint32_t, int>;  ///< bits, losses
using Products = std::vector<std::pair<uint8_t, uint8_t>>;

uint32_t fp32(double value) { return float_bits(static_cast<float>(value)); }

/// Code pairs of K from element 0 on, under scales 2^exponent of A and 1 of B.
Outcome sum(const Products& products, uint32_t c, int exponent = 0,
            Accumulation policy = Accumulation::kBlackwellMxf8f6f4, int64_t k = 32) {
  PackedMatrix a = make_packed_matrix(kMxfp4, 1, k);
  PackedMatrix b = make_packed_matrix(kMxfp4, 1, k);
  for (size_t i = 0; i < products.size(); ++i) {
    set_packed_code(a.row_codes(0), static_cast<int64_t>(i), products[i].first);
    set_packed_code(b.row_codes(0), static_cast<int64_t>(i), products[i].second);
  }
  const int half = exponent / 2;  // either scale reaches 2^-127 alone
  a.scales.assign(a.scales.size(), static_cast<uint8_t>(127 + half));
  b.scales.assign(b.scales.size(), static_cast<uint8_t>(127 + exponent - half));
  uint32_t bits = 0;
  uint8_t truncation = 0xEE;
  reference_gemm(a, b, policy, &c, &bits, 1, {}, &truncation);
  return {bits, truncation};
}

TEST(Mxf8f6f4Dot, ProductsAreAlignedByTheExponentsOfTheirElements) {
  struct Case {
    uint8_t x;
    uint8_t y;
    int exponent;
  };
  // 0.5 is subnormal and has the exponent of 1; products are not normalised: 1.5 * 1.5 has 0.
  const Case cases[] = {
      {kHalf, kHalf, 0}, {kHalf, kOne, 0},        {kOne, kOne, 0},
      {kOne, kTwo, 1},   {kHalf, kSix, 2},        {kThree, kThree, 2},
      {kTwo, kSix, 3},   {kSix, kSix, 4},         {kThreeHalves, kThree, 1},
      {kSix, kTwo, 3},   {kThreeHalves, kSix, 2}, {kThreeHalves, kThreeHalves, 0}};
  for (const Case& one : cases) {
    for (const int scale : {0, 7, -20}) {
      const Products cancelled{{one.x, one.y}, {kMinus | one.x, one.y}};
      const double unit = std::ldexp(1, one.exponent + scale - 25);
      SCOPED_TRACE(unit);
      EXPECT_EQ(sum(cancelled, fp32(unit), scale), Outcome(fp32(unit), 0));
      EXPECT_EQ(sum(cancelled, fp32(1.5 * unit), scale), Outcome(fp32(unit), kAlignmentLoss));
      EXPECT_EQ(sum(cancelled, fp32(-1.5 * unit), scale), Outcome(fp32(-unit), kAlignmentLoss));
      EXPECT_EQ(sum(cancelled, fp32(0.5 * unit), scale), Outcome(0, kAlignmentLoss));
    }
  }
}

// 2^-26 beside 36 - 36: 25 fraction bits below 2^4, not 35 below 2^0.
TEST(Mxf8f6f4Dot, IsNotTheBlackwellPolicy) {
  const Products cancelled{{kSix, kSix}, {kMinus | kSix, kSix}};
  const uint32_t c = fp32(0x1p-26);
  EXPECT_EQ(sum(cancelled, c), Outcome(0, kAlignmentLoss));
  EXPECT_EQ(sum(cancelled, c, 0, Accumulation::kBlackwell), Outcome(c, 0));
}

TEST(Mxf8f6f4Dot, EachProductIsCutByItself) {
  // C's exponent 25 leaves whole numbers: 0.75 + 0.75 + 1.5 + 2.25 becomes 0 + 0 + 1 + 2.
  const Products products{{kHalf, kThreeHalves},
                          {kThreeHalves, kHalf},
                          {kOne, kThreeHalves},
                          {kThreeHalves, kThreeHalves}};
  EXPECT_EQ(sum(products, fp32(0x1p25)), Outcome(fp32(0x1p25), kAlignmentLoss | kResultLoss));
  Products back = products;
  for (int i = 0; i < 16; ++i) {
    back.emplace_back(kMinus | kSix, kThree);  // 16 * 18 less than 2^25: enough for 24 bits
  }
  EXPECT_EQ(sum(back, fp32(0x1p25)), Outcome(fp32(0x1p25 - 286), kAlignmentLoss | kResultLoss));
  back[3] = {kThree, kTwo};  // 6 in place of 2
  EXPECT_EQ(sum(back, fp32(0x1p25)), Outcome(fp32(0x1p25 - 282), kAlignmentLoss | kResultLoss));
  back[0] = {kThreeHalves, kTwo};  // 3 in place of 0
  EXPECT_EQ(sum(back, fp32(0x1p25)), Outcome(fp32(0x1p25 - 278), kAlignmentLoss));
}

TEST(Mxf8f6f4Dot, EveryDistanceOfC) {
  const Products one{{kOne, kOne}};
  const Products cancelled{{kOne, kOne}, {kMinus | kOne, kOne}};
  for (int distance = 0; distance <= 60; ++distance) {
    const int cut = std::max(0, distance - 2);
    const int kept = cut > 24 ? 0 : 0xFFFFFF >> cut << cut;
    SCOPED_TRACE(distance);
    EXPECT_EQ(sum(cancelled, 0x3FFFFFFF, distance),
              Outcome(kept == 0 ? 0 : fp32(kept * 0x1p-23), cut > 0 ? kAlignmentLoss : 0));
    // Up to 25 binades below C a product counts: at 24 and 25 only as a loss where it adds, but
    // fully where it takes away from a power of two.
    const Products minus{{kMinus | kOne, kOne}};
    const double difference = std::ldexp(1, distance) - 1;
    const uint32_t below = distance == 0    ? 0
                           : distance <= 24 ? fp32(difference)
                           : distance == 25 ? float_bits(0x1p25F) - 1
                                            : fp32(std::ldexp(1, distance));
    EXPECT_EQ(sum(minus, fp32(std::ldexp(1, distance))),
              Outcome(below, distance == 25  ? kResultLoss
                             : distance > 25 ? kAlignmentLoss
                                             : 0));
  }
}

TEST(Mxf8f6f4Dot, ZeroProductsAndZeroCHaveTheirOwnExponent) {
  EXPECT_EQ(sum({}, fp32(0x1p-100), 100), Outcome(fp32(0x1p-100), 0));
  EXPECT_EQ(sum({{kSix, 0}, {kMinus, kSix}}, 1, 100), Outcome(1, 0));
  // 512 units of 2^-158 are 2^-149: the last fraction bit beside the exponent -133 of a zero. Half
  // a unit taken away is cut off; beside any lower exponent it would count.
  Products products(14, {kSix, kSix});  // 504
  products.emplace_back(kTwo, kTwo);
  products.emplace_back(kTwo, kTwo);
  EXPECT_EQ(sum(products, 0, -158), Outcome(1, 0));
  products.emplace_back(kMinus | kHalf, kOne);
  EXPECT_EQ(sum(products, 0, -158), Outcome(1, kAlignmentLoss));
  products.back() = {kMinus | kOne, kOne};
  EXPECT_EQ(sum(products, 0, -158), Outcome(0, kResultLoss));
  EXPECT_EQ(sum(products, kSign, -158), Outcome(0, kResultLoss));
}

TEST(Mxf8f6f4Dot, SpecialValues) {
  const Products six{{kSix, kSix}};
  EXPECT_EQ(sum(six, 0x7F7FFFFF, 100), Outcome(0x7F800000, kResultLoss));
  EXPECT_EQ(sum({{kMinus | kSix, kSix}}, 0xFF7FFFFF, 100), Outcome(0xFF800000, kResultLoss));
  EXPECT_EQ(sum({{kMinus | kSix, kSix}}, 0x7F800000, 200), Outcome(0x7F800000, 0));
  EXPECT_EQ(sum(six, 0x7F800001), Outcome(kNan, 0));
  EXPECT_EQ(sum({}, 0, 256), Outcome(kNan, 0));  // both scale codes are 255
  EXPECT_EQ(sum({}, kSign), Outcome(0, 0));
  EXPECT_EQ(sum({{kMinus | kOne, kOne}}, 0, -150), Outcome(kSign, kResultLoss));
  EXPECT_EQ(sum({{kMinus | kOne, kOne}}, 0, -159), Outcome(0, kAlignmentLoss));
}

TEST(Mxf8f6f4Dot, NodesOf32AreChained) {
  Products products(33, {0, 0});
  products[0] = {kOne, kOne};
  products[31] = {kOne, kOne};
  const uint32_t start = fp32(0x1p24);
  EXPECT_EQ(sum(products, start, 0, Accumulation::kBlackwellMxf8f6f4, 64),
            Outcome(fp32(0x1p24 + 2), 0));
  std::swap(products[31], products[32]);
  EXPECT_EQ(sum(products, start, 0, Accumulation::kBlackwellMxf8f6f4, 64),
            Outcome(start, kResultLoss));
  EXPECT_EQ(sum(products, start, 0, Accumulation::kBlackwell, 64), Outcome(fp32(0x1p24 + 2), 0));
}

}  // namespace
}  // namespace nibblecore
