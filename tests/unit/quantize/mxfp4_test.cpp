// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/mxfp4.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/fp32.hpp"
#include "tests/unit/quantize/vectors.hpp"

namespace nibblecore {
namespace {

constexpr size_t kBlock = 32;
constexpr float kInfinity = HUGE_VALF;

Mxfp4Rule rule_of(const std::string& preset_name) {
  return std::get<Mxfp4Rule>(preset(kMxfp4, preset_name).rule);
}

/// A block of zeros but for `value` at `position`.
std::array<float, kBlock> block_with(float value, size_t position = 0) {
  std::array<float, kBlock> block{};
  block[position] = value;
  return block;
}

uint32_t decoded_bits(const Mxfp4Unit& unit, size_t i) {
  return float_bits(decode_e2m1(unit.codes[i], unit.scale, kE8m0Format));
}

bool same_number(uint32_t a, uint32_t b) { return a == b || (fp32_is_nan(a) && fp32_is_nan(b)); }

/// One golden file beside the inputs.
struct Golden {
  explicit Golden(const std::string& name)
      : x(vector_tensor<uint32_t>("mxfp4/inputs", "x")),
        scale(vector_tensor<uint8_t>("mxfp4/" + name, "scale")),
        codes(vector_tensor<uint8_t>("mxfp4/" + name, "codes")),
        dequantized(vector_tensor<uint32_t>("mxfp4/" + name, "dequantized")) {}

  std::array<float, kBlock> block(size_t row) const {
    std::array<float, kBlock> values{};
    for (size_t i = 0; i < kBlock; ++i) {
      values[i] = bits_float(x[row * kBlock + i]);
    }
    return values;
  }

  uint32_t largest(size_t row) const {
    uint32_t result = 0;
    for (size_t i = 0; i < kBlock; ++i) {
      result = std::max(result, x[row * kBlock + i] & 0x7FFFFFFF);
    }
    return result;
  }

  bool matches(size_t row, const Mxfp4Unit& unit) const {
    bool same = unit.scale == scale[row];
    for (size_t i = 0; i < kBlock; ++i) {
      same = same && unit.codes[i] == codes[row * kBlock + i] &&
             same_number(decoded_bits(unit, i), dequantized[row * kBlock + i]);
    }
    return same;
  }

  std::vector<uint32_t> x;
  std::vector<uint8_t> scale;
  std::vector<uint8_t> codes;
  std::vector<uint32_t> dequantized;
};

/// Rows where `rule` gives another scale, code or decoded bit than the file.
std::vector<size_t> differing_rows(const std::string& name, const Golden& golden,
                                   const Mxfp4Rule& rule) {
  std::vector<size_t> rows;
  for (size_t row = 0; row < golden.scale.size(); ++row) {
    if (!golden.matches(row, quantize_mxfp4(golden.block(row).data(), rule))) {
      rows.push_back(row);
    }
  }
  std::cout << name << ": " << golden.scale.size() << " blocks compared, " << rows.size()
            << " differ\n";
  EXPECT_EQ(golden.scale.size(), 2713U);
  return rows;
}

/// The project's rule with the peer's code under a NaN scale, so that whole files compare.
Mxfp4Rule with_peer_nan_code(Mxfp4Rule rule) {
  rule.code_under_nan = 3;
  return rule;
}

TEST(Mxfp4Vectors, RceilDiffersOnlyWhereThePeersReciprocalSlips) {
  const Golden golden("torchao_rceil");
  const Mxfp4Rule rule = with_peer_nan_code(rule_of("rceil"));
  EXPECT_EQ(differing_rows("torchao_rceil", golden, rule), std::vector<size_t>{1650});
  EXPECT_EQ(golden.largest(1650), 0x01400001U);
  EXPECT_EQ(golden.scale[1650], 0);
  const Mxfp4Unit ours = quantize_mxfp4(golden.block(1650).data(), rule);
  EXPECT_EQ(ours.scale, 1);
  // Just above 3 scales: the largest element becomes 3, nothing saturates.
  EXPECT_EQ(*std::max_element(ours.codes.begin(), ours.codes.end(),
                              [](uint8_t a, uint8_t b) { return (a & 7) < (b & 7); }) &
                7,
            5);
}

TEST(Mxfp4Vectors, EvenDiffersOnlyWhereThePeerOverflows) {
  const Golden golden("torchao_even");
  const Mxfp4Rule rule = with_peer_nan_code(rule_of("even"));
  std::vector<size_t> overflowing;
  for (size_t row = 0; row < golden.scale.size(); ++row) {
    if (golden.largest(row) >= 0x7F600000 && golden.largest(row) < 0x7F800000) {
      overflowing.push_back(row);
    }
  }
  EXPECT_EQ(overflowing.size(), 56U);
  EXPECT_EQ(differing_rows("torchao_even", golden, rule), overflowing);
  for (const size_t row : overflowing) {
    EXPECT_EQ(golden.scale[row], kE8m0Nan);
    const Mxfp4Unit ours = quantize_mxfp4(golden.block(row).data(), rule);
    EXPECT_EQ(ours.scale, 253) << row;
    for (size_t i = 0; i < kBlock; ++i) {
      EXPECT_EQ(ours.codes[i], mxfp4_code(golden.block(row)[i], 253, Rounding::kNearestEven));
    }
  }
}

TEST(Mxfp4Vectors, ProjectPresetsHaveCodeZeroUnderANanScale) {
  const Golden golden("torchao_floor");
  const Mxfp4Unit zeros{kE8m0Nan, {}};
  int nan_blocks = 0;
  for (size_t row = 0; row < golden.scale.size(); ++row) {
    if (golden.largest(row) >= 0x7F800000) {
      ++nan_blocks;
      for (const std::string name : {"rceil", "floor", "ceil", "even", "oas"}) {
        const Mxfp4Unit unit = quantize_mxfp4(golden.block(row).data(), rule_of(name));
        EXPECT_EQ(unit.scale, zeros.scale);
        EXPECT_EQ(unit.codes, zeros.codes);
      }
    }
  }
  EXPECT_EQ(nan_blocks, 80);
}

/// Whether largest / 2^exponent lies in the interval that defines a rule.
bool in_interval(ScaleRule rule, double ratio) {
  switch (rule) {
    case ScaleRule::kRceil:
      return ratio > 3 && ratio <= 6;
    case ScaleRule::kFloor:
      return ratio >= 4 && ratio < 8;
    case ScaleRule::kCeil:
      return ratio > 2 && ratio <= 4;
    case ScaleRule::kEven:
      return ratio >= 3.5 && ratio < 7;
    case ScaleRule::kOas:
      return ratio > 3.5 && ratio <= 7;
    case ScaleRule::kFourThirds:
    case ScaleRule::kBestPowerOfTwo:
    case ScaleRule::kIdeal:
      break;
  }
  return false;
}

/// The scale code by the defining intervals alone, without looking at bits.
int scale_by_interval(double largest, ScaleRule rule) {
  int exponent = std::ilogb(largest) - 3;
  while (!in_interval(rule, std::ldexp(largest, -exponent))) {
    ++exponent;
  }
  return std::max(0, exponent + 127);
}

TEST(Mxfp4Scale, EveryExponentAroundEveryBoundary) {
  constexpr std::array<uint32_t, 9> kFractions{0x000000, 0x000001, 0x3FFFFF, 0x400000, 0x400001,
                                               0x5FFFFF, 0x600000, 0x600001, 0x7FFFFF};
  for (const auto& [name, rule, meaning] : kExponentRules) {
    for (uint32_t field = 0; field <= 254; ++field) {
      for (const uint32_t fraction : kFractions) {
        const uint32_t bits = field << 23 | fraction;
        if (bits != 0) {
          ASSERT_EQ(mxfp4_scale(bits, rule), scale_by_interval(bits_float(bits), rule))
              << name << " of bits " << std::hex << bits;
        }
      }
    }
  }
}

TEST(Mxfp4Scale, NotOfTheLargestMagnitudeAlone) {
  EXPECT_THROW(mxfp4_scale(0x40000000, ScaleRule::kBestPowerOfTwo), InternalError);
  EXPECT_THROW(mxfp4_scale(0x40000000, ScaleRule::kIdeal), InternalError);
}

TEST(Mxfp4Scale, OasAndEvenDifferOnlyAtASignificandOfExactlyOneAndThreeQuarters) {
  for (uint32_t fraction = 0; fraction < 0x800000; ++fraction) {
    const uint32_t bits = 130U << 23 | fraction;
    const int difference = mxfp4_scale(bits, ScaleRule::kEven) - mxfp4_scale(bits, ScaleRule::kOas);
    ASSERT_EQ(difference, fraction == 0x600000 ? 1 : 0) << std::hex << fraction;
  }
}

TEST(Mxfp4Code, MidpointsInEveryRoundingAndSign) {
  constexpr std::array<double, 7> kMidpoints{.25, .75, 1.25, 1.75, 2.5, 3.5, 5.0};
  using Codes = std::array<int, 7>;
  const std::array<std::pair<Rounding, Codes>, 4> expected{
      {{Rounding::kNearestEven, {0, 2, 2, 4, 4, 6, 6}},
       {Rounding::kNearestAway, {1, 2, 3, 4, 5, 6, 7}},
       {Rounding::kNearestZero, {0, 1, 2, 3, 4, 5, 6}},
       {Rounding::kTowardZero, {0, 1, 2, 3, 4, 5, 6}}}};
  int compared = 0;
  for (const int scale : {0, 1, 2, 126, 127, 128, 252, 253, 254}) {
    for (const auto& [rounding, codes] : expected) {
      for (size_t i = 0; i < kMidpoints.size(); ++i) {
        const auto value = static_cast<float>(std::ldexp(kMidpoints[i], scale - 127));
        if (std::isinf(value)) {
          continue;  // beyond FP32 under the largest scales
        }
        const auto code_of = [&, mode = rounding, byte = static_cast<uint8_t>(scale)](float x) {
          return static_cast<int>(mxfp4_code(x, byte, mode));
        };
        EXPECT_EQ(code_of(value), codes[i]) << kMidpoints[i] << " scale " << scale;
        EXPECT_EQ(code_of(-value), codes[i] | 8) << kMidpoints[i] << " scale " << scale;
        // One FP32 step either way is never a tie.
        const int below = static_cast<int>(i);
        const bool truncates = rounding == Rounding::kTowardZero;
        EXPECT_EQ(code_of(std::nextafter(value, 0.0F)), below);
        EXPECT_EQ(code_of(std::nextafter(value, kInfinity)), truncates ? below : below + 1);
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 4 * (7 * 7 + 6 + 4));
}

TEST(Mxfp4Code, TruncationKeepsGridValues) {
  constexpr std::array<float, 8> kGrid{0, .5F, 1, 1.5F, 2, 3, 4, 6};
  for (size_t i = 1; i < kGrid.size(); ++i) {
    EXPECT_EQ(mxfp4_code(kGrid[i], 127, Rounding::kTowardZero), i);
    EXPECT_EQ(mxfp4_code(std::nextafter(kGrid[i], 0.0F), 127, Rounding::kTowardZero), i - 1);
  }
}

struct WorkedExample {
  uint32_t largest;
  std::array<int, 5> scales;     ///< floor, ceil, even, rceil, oas
  std::array<float, 5> decoded;  ///< of the largest magnitude
};

TEST(Mxfp4Quantize, WorkedExamples) {
  const std::array<WorkedExample, 6> examples{{
      {float_bits(4.0F), {127, 127, 127, 127, 127}, {4, 4, 4, 4, 4}},
      {float_bits(5.0F), {127, 128, 127, 127, 127}, {4, 4, 4, 4, 4}},
      {float_bits(6.0F), {127, 128, 127, 127, 127}, {6, 6, 6, 6, 6}},
      {float_bits(6.5F), {127, 128, 127, 128, 127}, {6, 6, 6, 6, 6}},
      {float_bits(7.0F), {127, 128, 128, 128, 127}, {6, 8, 8, 8, 6}},
      {0x40FFFFFF, {127, 128, 128, 128, 128}, {6, 8, 8, 8, 8}},
  }};
  const std::array<std::string, 5> names{"floor", "ceil", "even", "rceil", "oas"};
  for (const WorkedExample& example : examples) {
    for (size_t i = 0; i < names.size(); ++i) {
      const auto block = block_with(-bits_float(example.largest), 17);
      const Mxfp4Unit unit = quantize_mxfp4(block.data(), rule_of(names[i]));
      EXPECT_EQ(unit.scale, example.scales[i]) << names[i] << " of " << block[17];
      EXPECT_EQ(decoded_bits(unit, 17), float_bits(-example.decoded[i]))
          << names[i] << " of " << block[17];
    }
  }
}

TEST(Mxfp4Quantize, ZeroBlocksKeepTheirSigns) {
  for (const auto& [name, rule, meaning] : kExponentRules) {
    std::array<float, kBlock> block{};
    block[3] = -0.0F;
    block[31] = -0.0F;
    const Mxfp4Unit unit = quantize_mxfp4(block.data(), {rule, Rounding::kNearestEven, 0});
    EXPECT_EQ(unit.scale, 0) << name;
    for (size_t i = 0; i < kBlock; ++i) {
      EXPECT_EQ(unit.codes[i], i == 3 || i == 31 ? 8 : 0) << name;
    }
  }
}

TEST(Mxfp4Quantize, OneNonFiniteValueAnywhereMakesTheBlockNan) {
  for (const uint32_t bits : {0x7F800000U, 0xFF800000U, 0x7FC00000U, 0xFFC00000U, 0x7F800001U}) {
    for (size_t position = 0; position < kBlock; ++position) {
      std::array<float, kBlock> block{};
      block.fill(1.0F);
      block[position] = bits_float(bits);
      const Mxfp4Unit unit = quantize_mxfp4(block.data(), rule_of(""));
      EXPECT_EQ(unit.scale, kE8m0Nan);
      EXPECT_EQ(unit.codes, Mxfp4Unit{}.codes);
      EXPECT_TRUE(fp32_is_nan(decoded_bits(unit, 0)));
      EXPECT_EQ(quantize_mxfp4(block.data(), rule_of("torchao_ceil")).codes[31], 3);
    }
  }
}

TEST(Mxfp4Quantize, LargestFiniteNumber) {
  const auto block = block_with(bits_float(kFp32LargestFinite));
  const std::array<std::pair<std::string, std::array<uint32_t, 3>>, 5> expected{
      {{"floor", {252, 7, float_bits(6 * 0x1p125F)}},
       {"ceil", {253, 6, kFp32Infinity}},
       {"even", {253, 6, kFp32Infinity}},
       {"rceil", {253, 6, kFp32Infinity}},
       {"oas", {253, 6, kFp32Infinity}}}};
  for (const auto& [name, values] : expected) {
    const Mxfp4Unit unit = quantize_mxfp4(block.data(), rule_of(name));
    EXPECT_EQ(unit.scale, values[0]) << name;
    EXPECT_EQ(unit.codes[0], values[1]) << name;
    EXPECT_EQ(decoded_bits(unit, 0), values[2]) << name;
  }
}

TEST(Mxfp4Quantize, SubnormalsUseTheSmallestScale) {
  // Scale 2^-127: half of it is a tie with code 1's lower neighbour at 2^-129.
  std::array<float, kBlock> block{};
  block[0] = bits_float(0x007FFFFF);  // just under 2^-126: rounds to 2 scales
  block[1] = 0x1p-127F;
  block[2] = -0x1p-128F;
  block[3] = -0x1p-129F;                                 // tie at a quarter, to even: -0
  block[4] = std::nextafter(0x1p-129F, 1.0F);            // above the tie: half a scale
  block[5] = -std::numeric_limits<float>::denorm_min();  // underflow keeps its sign
  for (const auto& [name, rule, meaning] : kExponentRules) {
    const Mxfp4Unit unit = quantize_mxfp4(block.data(), {rule, Rounding::kNearestEven, 0});
    EXPECT_EQ(unit.scale, 0) << name;
    const std::array<int, 6> codes{4, 2, 9, 8, 1, 8};
    for (size_t i = 0; i < codes.size(); ++i) {
      EXPECT_EQ(unit.codes[i], codes[i]) << name << " element " << i;
    }
  }
}

}  // namespace
}  // namespace nibblecore
