// SPDX-License-Identifier: Apache-2.0
#include "model/reference/truncating_node.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/accumulation.hpp"

namespace nibblecore {
namespace {

constexpr uint8_t kNone = 0;
constexpr uint8_t kBoth = kAlignmentLoss | kResultLoss;

void expect_node(const std::vector<NodeTerm>& terms, uint32_t bits, uint8_t truncation,
                 NegativeUnderflow underflow = NegativeUnderflow::kMinusZero,
                 int fraction_bits = 35) {
  const NodeResult result = truncating_node(terms.data(), terms.size(), fraction_bits, underflow);
  EXPECT_EQ(result.bits, bits);
  EXPECT_EQ(result.truncation, truncation);
}

/// significand * 2^exponent, aligned by that exponent.
NodeTerm term(int64_t significand, int exponent) { return {{significand, exponent}, exponent}; }

uint32_t fp32(double value) { return float_bits(static_cast<float>(value)); }

TEST(TruncatingNode, EachTermIsCutTowardZeroBelowTheLargestAlignment) {
  const NodeTerm one = term(1, 0);
  const NodeTerm minus_one = term(-1, 0);
  // 7 * 2^-36 is 3.5 units of 2^-35.
  expect_node({one, minus_one, term(7, -36)}, fp32(0x3p-35), kAlignmentLoss);
  expect_node({one, minus_one, term(-7, -36)}, fp32(-0x3p-35), kAlignmentLoss);
  expect_node({one, minus_one, term(6, -36)}, fp32(0x3p-35), kNone);
  expect_node({one, minus_one, term(7, -36), term(7, -36)}, fp32(0x6p-35), kAlignmentLoss);
  expect_node({one, minus_one, term(7, -36), term(-7, -36)}, 0, kAlignmentLoss);
  // With 25 fraction bits these are 3.5 units.
  expect_node({one, minus_one, term(7, -26)}, fp32(0x3p-25), kAlignmentLoss,
              NegativeUnderflow::kMinusZero, 25);
}

TEST(TruncatingNode, AlignmentIsNotThatOfTheLeadingBit) {
  // A zero, and a large value of low alignment.
  expect_node({{{0, 0}, 40}, term(1, 0)}, 0, kAlignmentLoss);
  expect_node({{{0, 0}, 36}, term(3, 0)}, fp32(2), kAlignmentLoss);
  expect_node({{{0xFFFFF, 0}, 0}, term(1, -35)}, fp32(0xFFFFF), kResultLoss);
}

TEST(TruncatingNode, EveryDistance) {
  for (const int fraction_bits : {35, 25}) {
    for (int distance = 0; distance <= 700; ++distance) {
      for (const int sign : {1, -1}) {
        const int64_t significand = 0xFFFFFF;
        const int cut = std::max(0, distance - fraction_bits);
        const int64_t kept = cut > 24 ? 0 : significand >> cut;
        const double value =
            std::ldexp(static_cast<double>(sign * kept), 100 - std::min(distance, fraction_bits));
        SCOPED_TRACE(distance);
        expect_node({term(1, 100), term(-1, 100), term(sign * significand, 100 - distance)},
                    kept == 0 ? 0 : fp32(value), cut > 0 ? kAlignmentLoss : kNone,
                    NegativeUnderflow::kMinusZero, fraction_bits);
      }
    }
  }
}

TEST(TruncatingNode, SumIsCutTo24Bits) {
  expect_node({term(0x1FFFFFF, 0)}, fp32(0x1FFFFFE), kResultLoss);
  expect_node({term(-0x1FFFFFF, 0)}, fp32(-0x1FFFFFE), kResultLoss);
  expect_node({term(0x1FFFFFE, 0)}, fp32(0x1FFFFFE), kNone);
  expect_node({term(0x1000001, 0), term(1, -36)}, fp32(0x1000000), kBoth);
}

TEST(TruncatingNode, OverflowsFrom2To128) {
  const int64_t largest = 0xFFFFFF;
  expect_node({term(largest, 104)}, 0x7F7FFFFF, kNone);
  expect_node({term(largest, 104), term(0xFFF, 92)}, 0x7F7FFFFF, kResultLoss);
  expect_node({term(largest, 104), term(0x1000, 92)}, 0x7F800000, kResultLoss);
  expect_node({term(-largest, 104), term(-0x1000, 92)}, 0xFF800000, kResultLoss);
  expect_node({term(1, 260)}, 0x7F800000, kResultLoss);
  expect_node({term(1, 260), term(-1, 260)}, 0, kNone);
}

TEST(TruncatingNode, SubnormalResults) {
  expect_node({term(1, -149)}, 0x00000001, kNone);
  expect_node({term(3, -150)}, 0x00000001, kResultLoss);
  expect_node({term(0x7FFFFF, -149)}, 0x007FFFFF, kNone);
  expect_node({term(0x800000, -149)}, 0x00800000, kNone);
  expect_node({term(0xFFFFFF, -149), term(1, -150)}, 0x00FFFFFF, kResultLoss);
  expect_node({term(-0x800001, -149)}, 0x80800001, kNone);
}

TEST(TruncatingNode, SignsOfZero) {
  for (const NegativeUnderflow underflow :
       {NegativeUnderflow::kMinusZero, NegativeUnderflow::kPlusZero}) {
    const uint32_t minus = underflow == NegativeUnderflow::kMinusZero ? 0x80000000 : 0;
    expect_node({term(0, 0)}, 0, kNone, underflow);
    expect_node({term(5, 0), term(-5, 0)}, 0, kNone, underflow);
    expect_node({term(-1, -150)}, minus, kResultLoss, underflow);
    expect_node({term(-1, -250)}, minus, kResultLoss, underflow);
    expect_node({term(1, -150)}, 0, kResultLoss, underflow);
    // Cut away before the sum: an exact zero.
    expect_node({{{0, 0}, -100}, term(-1, -150)}, 0, kAlignmentLoss, underflow);
    expect_node({term(-1, -149)}, 0x80000001, kNone, underflow);
  }
}

}  // namespace
}  // namespace nibblecore
