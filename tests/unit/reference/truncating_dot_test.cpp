// SPDX-License-Identifier: Apache-2.0
// The rules of the policies `blackwell` and `blackwell-v1`, one by one, on values found by hand.
#include "model/reference/truncating_dot.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/reference/gemm.hpp"

namespace nibblecore {
namespace {

constexpr Accumulation kV2 = Accumulation::kBlackwell;
constexpr Accumulation kV1 = Accumulation::kBlackwellV1;
constexpr uint32_t kNan = 0x7FFFFFFF;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr uint32_t kLargest = 0x7F7FFFFF;
constexpr uint32_t kSign = 0x80000000;
constexpr uint8_t kBothLosses = kAlignmentLoss | kResultLoss;

// E2M1 codes.
constexpr uint8_t kHalf = 1;
constexpr uint8_t kOne = 2;
constexpr uint8_t kThreeHalves = 3;
constexpr uint8_t kThree = 5;
constexpr uint8_t kFour = 6;
constexpr uint8_t kSix = 7;
constexpr uint8_t kMinus = 8;

constexpr BlockFormat kE8m0Of16{"mxfp4", ElementKind::kE2m1, ScaleKind::kE8m0, 16};

/// Codes of A from the first element of a block on, which meet ones of B, and the scale of A; that
/// of B is 1.
struct Block {
  std::vector<uint8_t> codes;
  int exponent = 0;
  int from = 0;  ///< first element
};

struct Output {
  uint32_t bits;
  uint8_t truncation;
};

bool operator==(const Output& x, const Output& y) {
  return x.bits == y.bits && x.truncation == y.truncation;
}
std::ostream& operator<<(std::ostream& stream, const Output& output) {
  return stream << std::hex << output.bits << ", loss " << int{output.truncation};
}

Output output(const PackedMatrix& a, const PackedMatrix& b, uint32_t c, Accumulation policy) {
  Output result{};
  reference_gemm(a, b, policy, &c, &result.bits, 1, {}, &result.truncation);
  return result;
}

/// One row of A whose other elements are 0.
PackedMatrix row_of(const BlockFormat& format, const std::vector<Block>& blocks) {
  PackedMatrix row =
      make_packed_matrix(format, 1, int64_t{format.block} * static_cast<int64_t>(blocks.size()));
  for (size_t i = 0; i < blocks.size(); ++i) {
    row.scales[i] = static_cast<uint8_t>(127 + blocks[i].exponent);
    int64_t k = static_cast<int64_t>(i) * format.block + blocks[i].from;
    for (const uint8_t code : blocks[i].codes) {
      set_packed_code(row.row_codes(0), k++, code);
    }
  }
  return row;
}

PackedMatrix ones(const BlockFormat& format, int64_t k) {
  PackedMatrix row = make_packed_matrix(format, 1, k);
  row.codes.assign(row.codes.size(), kOne * 17);
  row.scales.assign(row.scales.size(), 127);
  return row;
}

/// Blocks of 16 under E8M0, so that each is a group.
Output sum(const std::vector<Block>& blocks, uint32_t c, Accumulation policy = kV2) {
  const PackedMatrix a = row_of(kE8m0Of16, blocks);
  return output(a, ones(kE8m0Of16, a.k), c, policy);
}

uint32_t fp32(double value) { return float_bits(static_cast<float>(value)); }

/// `sixes` times 6, then `more`.
std::vector<uint8_t> sixes_and(size_t sixes, std::vector<uint8_t> more) {
  more.insert(more.begin(), sixes, kSix);
  return more;
}

// The examples that docs/numerics.md gives, from the values alone.
TEST(TruncatingDot, ProductFarBelowC) {
  for (const Accumulation policy : {kV2, kV1}) {
    const PackedMatrix a = row_of(kMxfp4, {{{kMinus | kHalf}}});
    const PackedMatrix b = row_of(kMxfp4, {{{kHalf}}});
    EXPECT_EQ(output(a, b, fp32(0x1p33), policy), (Output{0x4FFFFFFF, kResultLoss}));
    EXPECT_EQ(output(a, b, fp32(0x1p34), policy), (Output{0x50800000, kAlignmentLoss}));
  }
}

TEST(TruncatingDot, OverflowsFrom2To128) {
  for (const uint32_t sign : {0U, kSign}) {
    const auto signed_sum = [&](std::vector<Block> blocks) {
      for (Block& block : blocks) {
        for (uint8_t& code : block.codes) {
          code = static_cast<uint8_t>(code | (sign != 0 ? kMinus : 0));
        }
      }
      return sum(blocks, sign | kLargest);
    };
    EXPECT_EQ(signed_sum({{{kOne}, 103}}), (Output{sign | kLargest, kResultLoss}));
    EXPECT_EQ(signed_sum({{{kOne}, 104}}), (Output{sign | kInfinity, kResultLoss}));
    // 63 * 2^98 + 63 * 2^92 is 2^104 less 2^92, the last bit beside 2^127; 64 * 2^92 completes it.
    const Block high{sixes_and(10, {kThree}), 98};
    EXPECT_EQ(signed_sum({high, {sixes_and(10, {kThree}), 92}}),
              (Output{sign | kLargest, kResultLoss}));
    EXPECT_EQ(signed_sum({high, {sixes_and(10, {kFour}), 92}}),
              (Output{sign | kInfinity, kResultLoss}));
    // What would complete it, too, but lies lower.
    EXPECT_EQ(signed_sum({high, {sixes_and(10, {kThree}), 92}, {{kThree}, 91}}),
              (Output{sign | kInfinity, kResultLoss | kAlignmentLoss}));
    EXPECT_EQ(signed_sum({high, {sixes_and(10, {kThree}), 92}, {{kHalf}, 92}}),
              (Output{sign | kLargest, kBothLosses}));
  }
  EXPECT_EQ(sum({{{kSix}, 127}, {{kMinus | kSix}, 127}}, 1), (Output{0, kAlignmentLoss}));
}

// An infinity that a node made stays through the nodes behind it, and so does its loss.
TEST(TruncatingDot, InfinityStaysInTheChain) {
  EXPECT_EQ(sum({{{kOne}, 104}, {}, {}, {}, {{kMinus | kSix}, 127}, {{kOne}, -127}}, kLargest),
            (Output{kInfinity, kResultLoss}));
}

TEST(TruncatingDot, CancellationWithinAGroupKeepsItsExponent) {
  const Block cancelled{{kOne, kMinus | kOne}, 40};
  for (const Accumulation policy : {kV2, kV1}) {
    EXPECT_EQ(sum({cancelled}, fp32(0x1p5), policy), (Output{fp32(0x1p5), 0}));
    EXPECT_EQ(sum({cancelled}, fp32(0x3p4), policy), (Output{fp32(0x1p5), kAlignmentLoss}));
    EXPECT_EQ(sum({cancelled}, fp32(-0x3p4), policy), (Output{fp32(-0x1p5), kAlignmentLoss}));
    EXPECT_EQ(sum({cancelled}, fp32(0x1p-23), policy), (Output{0, kAlignmentLoss}));
  }
}

TEST(TruncatingDot, CancellationBetweenGroupsLeavesExactBits) {
  EXPECT_EQ(sum({{{kSix}, 30}, {{kMinus | kSix}, 30}, {{kHalf}, -4}}, 0),
            (Output{fp32(0x1p-5), 0}));
  EXPECT_EQ(sum({{{kSix}, 30}, {{kMinus | kSix}, 30}, {{kHalf}, -5}}, 0),
            (Output{0, kAlignmentLoss}));
  // 6 at exponent 30 and 1.5 at 32 are equal; the greater exponent aligns.
  EXPECT_EQ(sum({{{kSix}, 30}, {{kMinus | kThreeHalves}, 32}, {{kHalf}, -3}}, 0),
            (Output{0, kAlignmentLoss}));
}

TEST(TruncatingDot, CancellationAgainstC) {
  // 1.5 * 2^31 has C's exponent 31; as 6 * 2^29 the group has 29.
  EXPECT_EQ(sum({{{kMinus | kSix}, 29}, {{kThreeHalves}, -4}}, fp32(0x3p30)),
            (Output{fp32(0x1p-4), kAlignmentLoss}));
  EXPECT_EQ(sum({{{kMinus | kSix}, 29}, {{kMinus | kThreeHalves}, -4}}, fp32(0x3p30)),
            (Output{fp32(-0x1p-4), kAlignmentLoss}));
}

/// 576, the largest sum of a group under scales of 1, cut to a multiple of 2^unit.
double cut_576(int unit) {
  return unit <= 6 ? 576 : std::floor(576 / std::exp2(unit)) * std::exp2(unit);
}

TEST(TruncatingDot, EveryDistanceOfGroups) {
  PackedMatrix b = ones(kE8m0Of16, 64);
  for (int64_t k = 32; k < 48; ++k) {
    b.row_codes(0)[k / 2] = kSix * 17;
  }
  for (int distance = 0; distance <= 60; ++distance) {
    for (const uint8_t sign : {uint8_t{0}, kMinus}) {
      const auto six = static_cast<uint8_t>(sign | kSix);
      const std::vector<uint8_t> sixes(16, six);
      const double expected = cut_576(distance - 35) * (sign != 0 ? -1 : 1);
      const Output output_of{expected == 0 ? 0 : fp32(expected),
                             distance > 41 ? kAlignmentLoss : uint8_t{0}};
      // A larger group, then a larger C; either is taken away again.
      const Block large{{kOne}, distance};
      const Block minus_large{{kMinus | kOne}, distance};
      SCOPED_TRACE(distance);
      EXPECT_EQ(output(row_of(kE8m0Of16, {large, minus_large, {sixes}, {}}), b, 0, kV2), output_of);
      EXPECT_EQ(output(row_of(kE8m0Of16, {minus_large, {}, {sixes}, {}}), b,
                       fp32(std::exp2(distance)), kV2),
                output_of);
      // C's exponent 0, that of the group lower: the other side of the distance.
      const std::vector<Block> below{{{kMinus | kOne}}, {}, {sixes, -distance}, {}};
      const double low = std::ldexp(cut_576(distance - 35), -distance) * (sign != 0 ? -1 : 1);
      EXPECT_EQ(output(row_of(kE8m0Of16, below), b, fp32(1), kV2),
                (Output{low == 0 ? 0 : fp32(low), distance > 41 ? kAlignmentLoss : uint8_t{0}}));
    }
  }
}

TEST(TruncatingDot, EveryDistanceOfC) {
  for (int distance = 0; distance <= 60; ++distance) {
    for (const uint32_t sign : {0U, kSign}) {
      const int cut = std::max(0, distance - 12);
      const int kept = cut > 24 ? 0 : 0xFFFFFF >> cut << cut;
      const uint32_t bits = kept == 0 ? 0 : sign | fp32(kept * 0x1p-23);
      SCOPED_TRACE(distance);
      EXPECT_EQ(sum({{{kOne}, distance}, {{kMinus | kOne}, distance}}, sign | 0x3FFFFFFF),
                (Output{bits, cut > 0 ? kAlignmentLoss : uint8_t{0}}));
    }
  }
}

// UE4M3 spreads groups over 28 exponents at most, where one bit is lost.
TEST(TruncatingDot, SpreadOfUe4m3) {
  PackedMatrix a = make_packed_matrix(kNvfp4, 1, 64);
  PackedMatrix b = make_packed_matrix(kNvfp4, 1, 64);
  a.scales = {0x78, 0x78, 0x09, 0};  // 2^8, 2^8, 1.125 * 2^-6
  b.scales = a.scales;
  b.codes.assign(b.codes.size(), kOne * 17);
  set_packed_code(a.row_codes(0), 0, kOne);
  set_packed_code(a.row_codes(0), 16, kMinus | kOne);
  set_packed_code(a.row_codes(0), 32, kHalf);
  // 0.5 * 81/64 * 2^-12 = 162 units of 2^-20; 2^16 leaves units of 2^-19.
  EXPECT_EQ(output(a, b, 0, kV2), (Output{fp32(81 * 0x1p-19), 0}));
  set_packed_code(b.row_codes(0), 33, 0);
  b.row_codes(0)[16] = kHalf;
  // 0.25 * 81/64 * 2^-12 = 81 units of 2^-20.
  EXPECT_EQ(output(a, b, 0, kV2), (Output{fp32(40 * 0x1p-19), kAlignmentLoss}));
}

TEST(TruncatingDot, ScalesAreNotNormalised) {
  // UE4M3 1 is 2^-9, of exponent -6; as a normal number it would have -9. C is cut 9 bits higher.
  PackedMatrix a = make_packed_matrix(kNvfp4, 1, 32);
  PackedMatrix b = make_packed_matrix(kNvfp4, 1, 32);
  b.codes.assign(b.codes.size(), kOne * 17);
  a.scales = {0x01, 0x01};
  b.scales = {0x38, 0xB8};  // bit 7 is ignored
  set_packed_code(a.row_codes(0), 0, kOne);
  set_packed_code(a.row_codes(0), 16, kMinus | kOne);
  EXPECT_EQ(output(a, b, fp32(0x1p-41), kV2), (Output{fp32(0x1p-41), 0}));
  EXPECT_EQ(output(a, b, fp32(0x1p-42), kV2), (Output{0, kAlignmentLoss}));
}

TEST(TruncatingDot, SubnormalC) {
  EXPECT_EQ(sum({{}}, 0x00000001), (Output{0x00000001, 0}));
  EXPECT_EQ(sum({{}}, 0x807FFFFF), (Output{0x807FFFFF, 0}));
  // Its exponent is -126, whatever its leading bit: 2^-161 is kept beside 2^-149, 2^-162 is not.
  EXPECT_EQ(sum({{{kMinus | kHalf}, -127}}, 0x00800000), (Output{0x00600000, 0}));
  const PackedMatrix a = row_of(kMxfp4, {{{kMinus | kOne}, -121}});
  PackedMatrix b = ones(kMxfp4, 32);
  b.scales = {127 - 40};
  EXPECT_EQ(output(a, b, 1, kV2), (Output{0, kResultLoss}));
  b.scales = {127 - 41};
  EXPECT_EQ(output(a, b, 1, kV2), (Output{1, kAlignmentLoss}));
}

TEST(TruncatingDot, LeastResult) {
  const auto product = [](uint8_t code, int exponent, Accumulation policy) {
    const PackedMatrix a = row_of(kMxfp4, {{{code}, -100}});
    PackedMatrix b = ones(kMxfp4, 32);
    b.scales = {static_cast<uint8_t>(127 + exponent + 100)};
    return output(a, b, 0, policy);
  };
  EXPECT_EQ(product(kOne, -149, kV2), (Output{1, 0}));
  EXPECT_EQ(product(kMinus | kOne, -149, kV1), (Output{kSign | 1, 0}));
  EXPECT_EQ(product(kThreeHalves, -149, kV2), (Output{1, kResultLoss}));
  EXPECT_EQ(product(kThreeHalves, -150, kV2), (Output{0, kResultLoss}));
  EXPECT_EQ(product(kMinus | kThreeHalves, -150, kV2), (Output{kSign, kResultLoss}));
  EXPECT_EQ(product(kMinus | kThreeHalves, -150, kV1), (Output{0, kResultLoss}));
  // Beside an accumulator of 0: exponent -139 or -126 and 35 bits below it.
  EXPECT_EQ(product(kMinus | kOne, -174, kV2), (Output{kSign, kResultLoss}));
  EXPECT_EQ(product(kMinus | kOne, -175, kV2), (Output{0, kAlignmentLoss}));
  EXPECT_EQ(product(kMinus | kOne, -161, kV1), (Output{0, kResultLoss}));
  EXPECT_EQ(product(kMinus | kOne, -162, kV1), (Output{0, kAlignmentLoss}));
}

TEST(TruncatingDot, SignsOfExactZeros) {
  for (const Accumulation policy : {kV2, kV1}) {
    for (const uint32_t c : {0U, kSign}) {
      EXPECT_EQ(sum({{}}, c, policy), (Output{0, 0}));
      EXPECT_EQ(sum({{std::vector<uint8_t>(16, kMinus)}}, c, policy), (Output{0, 0}));
      EXPECT_EQ(sum({{{kOne}}, {{kMinus | kOne}}}, c, policy), (Output{0, 0}));
    }
    EXPECT_EQ(sum({{{kMinus | kOne}}}, fp32(1), policy), (Output{0, 0}));
  }
}

TEST(TruncatingDot, SpecialValuesOfC) {
  const Block overflowing{{kMinus | kSix}, 127};
  for (const Accumulation policy : {kV2, kV1}) {
    EXPECT_EQ(sum({overflowing}, kInfinity, policy), (Output{kInfinity, 0}));
    EXPECT_EQ(sum({{{kOne}}}, kSign | kInfinity, policy), (Output{kSign | kInfinity, 0}));
    for (const uint32_t nan : {0x7F800001U, 0x7FC00000U, 0xFFFFFFFFU}) {
      EXPECT_EQ(sum({{{kHalf}, -100}}, nan, policy), (Output{kNan, 0}));
    }
  }
}

TEST(TruncatingDot, NanScaleCountsOverZerosAndBeatsInfinity) {
  for (const Accumulation policy : {kV2, kV1}) {
    for (const uint32_t c : {0U, kInfinity, kSign | kInfinity, 0x7FC00000U}) {
      // 128 - E8M0 code 255 - in the last block of zeros, of A or of B.
      EXPECT_EQ(sum({{{kOne}}, {}, {}, {}, {{}, 128}}, c, policy), (Output{kNan, 0}));
      PackedMatrix b = ones(kE8m0Of16, 64);
      b.scales[3] = 0xFF;
      EXPECT_EQ(output(make_packed_matrix(kE8m0Of16, 1, 64), b, c, policy), (Output{kNan, 0}));
      PackedMatrix a = make_packed_matrix(kNvfp4, 1, 64);
      for (const uint8_t code : {0x7F, 0xFF}) {
        a.scales[2] = code;
        EXPECT_EQ(output(a, make_packed_matrix(kNvfp4, 1, 64), c, policy), (Output{kNan, 0}));
      }
    }
  }
}

TEST(TruncatingDot, AZeroBlockPushesOutUnderV1Alone) {
  const Block zeros_at_40{{}, 40};
  EXPECT_EQ(sum({{{kOne}}, zeros_at_40}, 0x34000000), (Output{0x3F800001, 0}));
  EXPECT_EQ(sum({{{kOne}}, zeros_at_40}, 0x34000000, kV1), (Output{0, kAlignmentLoss}));
  // Ordinary scales, no product, a small C.
  EXPECT_EQ(sum({{}}, fp32(0x1p-100)), (Output{fp32(0x1p-100), 0}));
  EXPECT_EQ(sum({{}}, fp32(0x1p-100), kV1), (Output{0, kAlignmentLoss}));
}

TEST(TruncatingDot, AGroupIsZeroWhereEveryProductIs) {
  // Elements that are not zero meet those that are.
  const PackedMatrix a = row_of(kE8m0Of16, {{std::vector<uint8_t>(8, kSix), 40, 0}});
  PackedMatrix b = make_packed_matrix(kE8m0Of16, 1, 16);
  b.scales = {127};
  for (int64_t k = 8; k < 16; ++k) {
    set_packed_code(b.row_codes(0), k, kSix);
  }
  EXPECT_EQ(output(a, b, 1, kV2), (Output{1, 0}));
  EXPECT_EQ(output(a, b, 1, kV1), (Output{0, kAlignmentLoss}));
}

// Groups are of 16 also where blocks are of 32: each half of a block is zero by itself, but the
// other half keeps the exponent of the scale.
TEST(TruncatingDot, HalvesOfABlockOf32AreGroups) {
  for (const int from : {0, 16}) {
    const PackedMatrix a = row_of(kMxfp4, {{{kOne, kMinus | kOne}, 40, from}});
    EXPECT_EQ(output(a, ones(kMxfp4, 32), fp32(0x3p4), kV2), (Output{fp32(0x1p5), kAlignmentLoss}));
  }
  // 1 + 1 of one group are a unit together; of two groups each is cut.
  const auto halves = [](int second) {
    PackedMatrix a = row_of(kMxfp4, {{{kOne}, 0, 0}, {{kSix, kMinus | kSix}, 37, 0}});
    set_packed_code(a.row_codes(0), second, kOne);
    PackedMatrix b = ones(kMxfp4, 64);
    b.scales = {126, 127};
    for (size_t i = 0; i < 16; ++i) {
      b.codes[i] = kSix * 17;
    }
    return output(a, b, 0, kV2);
  };
  EXPECT_EQ(halves(1), (Output{fp32(4), kAlignmentLoss}));  // 3 + 3 = 6, cut to 4
  EXPECT_EQ(halves(16), (Output{0, kAlignmentLoss}));       // 3 and 3, each below 4
}

TEST(TruncatingDot, ScaleOfZero) {
  PackedMatrix a = make_packed_matrix(kNvfp4, 1, 16);
  PackedMatrix b = make_packed_matrix(kNvfp4, 1, 16);
  a.codes.assign(a.codes.size(), kSix * 17);
  b.codes = a.codes;
  a.scales = {0x80};  // zero, bit 7 ignored
  b.scales = {0x7E};
  // Exponents -139 and -126 + 8, not -6 + 8.
  for (const uint32_t c : {1U, 0x80000001U, fp32(0x1p-100)}) {
    EXPECT_EQ(output(a, b, c, kV2), (Output{c, 0}));
    EXPECT_EQ(output(a, b, c, kV1), (Output{c, 0}));
    EXPECT_EQ(output(b, a, c, kV1), (Output{c, 0}));
  }
  a.scales = {0x01};  // the least scale: its own exponent
  a.codes.assign(a.codes.size(), 0);
  EXPECT_EQ(output(a, b, 1, kV2), (Output{1, 0}));
  EXPECT_EQ(output(a, b, 1, kV1), (Output{0, kAlignmentLoss}));
}

TEST(TruncatingDot, ExponentOfAnAccumulatorOfZero) {
  // 2^-149 less 2^-170: beside -126 the smaller is cut off, beside -139 the difference is.
  const PackedMatrix a = row_of(kE8m0Of16, {{{kOne}, -100}, {{kMinus | kOne}, -121}});
  PackedMatrix b = ones(kE8m0Of16, 32);
  b.scales.assign(2, 127 - 49);
  EXPECT_EQ(output(a, b, 0, kV2), (Output{0, kResultLoss}));
  EXPECT_EQ(output(a, b, 0, kV1), (Output{1, kAlignmentLoss}));
}

// A node ends at 64: what it cuts does not come back.
TEST(TruncatingDot, NodesOf64AreChained) {
  const Block one{{kOne}};
  const uint32_t start = fp32(0x1p24);
  EXPECT_EQ(sum({one, {}, {}, one}, start), (Output{fp32(0x1p24 + 2), 0}));
  EXPECT_EQ(sum({one, {}, {}, {}, one}, start), (Output{start, kResultLoss}));
  EXPECT_EQ(sum({{}, {}, {}, {}, one, one}, start), (Output{fp32(0x1p24 + 2), 0}));
}

// Groups behind the last block take no part: not even an exponent of theirs.
TEST(TruncatingDot, LastNodeMayBeShort) {
  for (int64_t blocks = 1; blocks <= 9; ++blocks) {
    std::vector<Block> row(static_cast<size_t>(blocks));
    row.back() = {{kOne}, -100};
    EXPECT_EQ(sum(row, fp32(0x1p-100), kV2), (Output{fp32(0x1p-99), 0}));
    for (Block& block : row) {
      block.exponent = -100;
    }
    EXPECT_EQ(sum(row, fp32(0x1p-100), kV1), (Output{fp32(0x1p-99), 0}));
  }
}

}  // namespace
}  // namespace nibblecore
