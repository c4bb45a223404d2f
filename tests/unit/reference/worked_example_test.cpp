// SPDX-License-Identifier: Apache-2.0
// The walks of docs/numerics.md. Every expected figure stands on the page and comes out of the
// code: table rows and lines are compared as text with both.
#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/e6m2.hpp"
#include "model/quantize/hif4.hpp"
#include "model/quantize/mxfp4.hpp"
#include "model/quantize/quantize.hpp"
#include "model/reference/exact_operand.hpp"
#include "model/reference/exact_sum.hpp"
#include "model/reference/gemm.hpp"
#include "tests/unit/reference/numerics_page.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;

void expect_figure(const std::string& computed, const std::string& expected) {
  EXPECT_EQ(computed, expected);
  EXPECT_THAT(numerics_page(), HasSubstr(expected));
}

std::string hex(int64_t value, int digits) {
  std::ostringstream text;
  text << "0x" << std::hex << std::uppercase << std::setw(digits) << std::setfill('0') << value;
  return text.str();
}

template <class Iterator>
std::string listed(Iterator first, Iterator last) {
  std::ostringstream text;
  text << std::setprecision(15);
  for (Iterator i = first; i != last; ++i) {
    text << (i == first ? "" : " ") << *i;
  }
  return text.str();
}

std::string number(double value) { return listed(&value, &value + 1); }

/// The addition as the accumulator's circuit does it, in plain integers.
struct Addition {
  int left = 0;      ///< shift of the addend with the greater exponent
  int right = 0;     ///< shift of the other
  int64_t high = 0;  ///< the addend with the greater exponent, shifted
  int64_t low = 0;   ///< the other one, shifted, its last bit or-ed with what was lost
  int64_t sum = 0;
  int exponent = 0;      ///< of the sum's last bit
  int dropped_bits = 0;  ///< below the 24 that are kept
  int64_t kept = 0;
  int64_t dropped = 0;

  Addition(ExactTerm a, ExactTerm b) {
    if (a.exponent < b.exponent) {
      std::swap(a, b);
    }
    left = std::min(27, a.exponent - b.exponent);
    right = a.exponent - b.exponent - left;
    high = a.significand * (int64_t{1} << left);
    const int64_t magnitude = std::abs(b.significand);
    const int64_t shifted = magnitude >> right;
    low = shifted | ((shifted << right) != magnitude ? 1 : 0);
    low = b.significand < 0 ? -low : low;
    sum = high + low;
    exponent = a.exponent - left;
    dropped_bits = std::max(0, bit_width(static_cast<uint64_t>(std::abs(sum))) - 24);
    kept = std::abs(sum) >> dropped_bits;
    dropped = std::abs(sum) & ((int64_t{1} << dropped_bits) - 1);
  }

  std::string last_bit_text() const {
    return "last bit 2^" + std::to_string(exponent) + ", " +
           std::to_string(bit_width(static_cast<uint64_t>(std::abs(sum)))) + " bits";
  }

  std::string dropped_text() const {
    std::string text;
    for (int bit = dropped_bits - 1; bit >= 0; --bit) {
      text += ((dropped >> bit) & 1) != 0 ? '1' : '0';
    }
    return text;
  }
};

uint32_t accumulated(uint32_t accumulator, const ExactTerm& term) {
  const ExactTerm terms[] = {exact_term(accumulator), term};
  return round_sum(terms, 2);
}

// The MXFP4 blocks.

constexpr std::array<float, 32> kActivations{
    6.5F,  -5,  3,      1.5F,    -0.75F, 0.5F,    -0.375F, 0.0625F, 4,       -2.5F, 1,
    -6,    .25, 2.25F,  -1.25F,  3.5F,   -3.5F,   0,       5.5F,    -0.5F,   1.75F, 0.875F,
    -4.5F, 2,   0.625F, -1.125F, 6.25F,  -0.125F, 2.75F,   -3.25F,  0.3125F, -1};

/// In 64ths.
constexpr std::array<float, 32> kWeights64{
    5.5F,    -1.25F, 2,       .25,   -3,      1.75F,  -0.125F, 4.5F,   3.75F,   -2.5F, 0.5F,
    1.125F,  -4,     0.875F,  2.25F, -0.625F, 1.5F,   -5,      3.5F,   -0.375F, 2.75F, -1.75F,
    0.0625F, 1,      -2.125F, 3.25F, 4.25F,   -0.75F, 0,       -5.25F, 1.375F,  0.25F};

class Mxfp4Walk : public testing::Test {
 protected:
  static PackedMatrix packed(std::array<float, 32> values, float factor) {
    for (float& value : values) {
      value *= factor;
    }
    return quantize(row_major_view(values.data(), 1, 32), preset(kMxfp4, "rceil"), 1);
  }

  const PackedMatrix packed_a = packed(kActivations, 1);
  const PackedMatrix packed_b = packed(kWeights64, 0x1p-6F);
  const ExactRow row_a = decode_row(packed_a, 0);
  const ExactRow row_b = decode_row(packed_b, 0);
};

std::string mxfp4_row(const PackedMatrix& packed, const ExactRow& row,
                      const std::array<float, 32>& values, int first) {
  std::ostringstream codes;
  for (int i = first; i < first + 8; ++i) {
    codes << (i == first ? "" : " ") << std::hex << std::uppercase
          << int{packed_code(packed.row_codes(0), i)};
  }
  return "| " + std::to_string(first) + " | " +
         listed(values.begin() + first, values.begin() + first + 8) + " | " + codes.str() + " | " +
         listed(row.elements.begin() + first, row.elements.begin() + first + 8) + " |";
}

TEST_F(Mxfp4Walk, Scales) {
  EXPECT_EQ(*std::max_element(kActivations.begin(), kActivations.end()), 6.5F);
  EXPECT_EQ(*std::max_element(kWeights64.begin(), kWeights64.end()), 5.5F);
  expect_figure("code " + std::to_string(packed_a.scales[0]) + ", scale 2", "code 128, scale 2");
  expect_figure("code " + std::to_string(packed_b.scales[0]) + ", scale 2^-6",
                "code 121, scale 2^-6");
}

TEST_F(Mxfp4Walk, CodesOfA) {
  const char* rows[] = {
      "| 0 | 6.5 -5 3 1.5 -0.75 0.5 -0.375 0.0625 | 5 C 3 2 9 0 8 0 | 6 -4 3 2 -1 0 0 0 |",
      "| 8 | 4 -2.5 1 -6 0.25 2.25 -1.25 3.5 | 4 A 1 D 0 2 9 4 | 4 -2 1 -6 0 2 -1 4 |",
      "| 16 | -3.5 0 5.5 -0.5 1.75 0.875 -4.5 2 | C 0 5 8 2 1 C 2 | -4 0 6 0 2 1 -4 2 |",
      "| 24 | 0.625 -1.125 6.25 -0.125 2.75 -3.25 0.3125 -1 | 1 9 5 8 3 B 0 9 | 1 -1 6 0 3 -3 0 -1 "
      "|"};
  for (int i = 0; i < 4; ++i) {
    expect_figure(mxfp4_row(packed_a, row_a, kActivations, 8 * i), rows[i]);
  }
}

TEST_F(Mxfp4Walk, CodesOfB) {
  const char* rows[] = {
      "| 0 | 5.5 -1.25 2 0.25 -3 1.75 -0.125 4.5 | 7 A 4 0 D 4 8 6 | 12 -2 4 0 -6 4 0 8 |",
      "| 8 | 3.75 -2.5 0.5 1.125 -4 0.875 2.25 -0.625 | 6 C 1 2 E 2 4 9 | 8 -4 1 2 -8 2 4 -1 |",
      "| 16 | 1.5 -5 3.5 -0.375 2.75 -1.75 0.0625 1 | 3 E 6 9 5 C 0 2 | 3 -8 8 -1 6 -4 0 2 |",
      "| 24 | -2.125 3.25 4.25 -0.75 0 -5.25 1.375 0.25 | C 5 6 A 0 F 3 0 | -4 6 8 -2 0 -12 3 0 |"};
  for (int i = 0; i < 4; ++i) {
    expect_figure(mxfp4_row(packed_b, row_b, kWeights64, 8 * i), rows[i]);
  }
}

TEST_F(Mxfp4Walk, IntegerDotProduct) {
  const char* rows[] = {"| 0 | 72 8 12 0 6 0 0 0 | 98 |", "| 8 | 32 8 1 -12 0 4 -4 -4 | 25 |",
                        "| 16 | -12 0 48 0 12 -4 0 4 | 48 |", "| 24 | -4 -6 48 0 0 36 0 0 | 74 |"};
  for (size_t i = 0; i < 4; ++i) {
    std::array<int, 8> products{};
    int sum = 0;
    for (size_t k = 0; k < 8; ++k) {
      products[k] = row_a.elements[8 * i + k] * row_b.elements[8 * i + k];
      sum += products[k];
    }
    expect_figure("| " + std::to_string(8 * i) + " | " + listed(products.begin(), products.end()) +
                      " | " + std::to_string(sum) + " |",
                  rows[i]);
  }
  const ExactTerm term = block_dot(row_a, row_b, 0, 32);
  expect_figure("n = 98 + 25 + 48 + 74 = " + std::to_string(term.significand),
                "n = 98 + 25 + 48 + 74 = 245");
  expect_figure("128 + 121 - 256 = " + std::to_string(term.exponent), "128 + 121 - 256 = -7");
  expect_figure(number(std::ldexp(static_cast<double>(term.significand), term.exponent)),
                "1.9140625");
}

TEST_F(Mxfp4Walk, UnquantizedDotProduct) {
  double sum = 0;
  for (size_t i = 0; i < kActivations.size(); ++i) {
    sum += static_cast<double>(kActivations[i]) * static_cast<double>(kWeights64[i]) / 64;
  }
  expect_figure(number(sum), "1.8890380859375");
}

TEST_F(Mxfp4Walk, Accumulation) {
  const ExactTerm term = block_dot(row_a, row_b, 0, 32);
  const ExactTerm start = exact_term(0x4B3C614F);
  expect_figure("0x4B3C614F = " + hex(start.significand, 6) + " * 2^" +
                    std::to_string(start.exponent) + " = 12345679",
                "0x4B3C614F = 0xBC614F * 2^0 = 12345679");
  EXPECT_EQ(bits_float(0x4B3C614F), 12345679.0F);
  const Addition addition(start, term);
  expect_figure(hex(term.significand, 2) + " * 2^" + std::to_string(term.exponent), "0xF5 * 2^-7");
  EXPECT_EQ(addition.left, 7);
  EXPECT_EQ(addition.right, 0);
  expect_figure(hex(addition.high, 8) + " + " + hex(addition.low, 2) + " = " + hex(addition.sum, 8),
                "0x5E30A780 + 0xF5 = 0x5E30A875");
  expect_figure(addition.last_bit_text(), "last bit 2^-7, 31 bits");
  expect_figure(hex(addition.kept, 6) + " | " + addition.dropped_text(), "0xBC6150 | 1110101");
  const uint32_t result = accumulated(0x4B3C614F, term);
  expect_figure("0xBC6151 * 2^0 = " + hex(result, 8) + " = " + number(bits_float(result)),
                "0xBC6151 * 2^0 = 0x4B3C6151 = 12345681");
  uint32_t d = 0;
  const uint32_t c = 0x4B3C614F;
  reference_gemm(packed_a, packed_b, Accumulation::kFp32Rne, &c, &d, 1);
  EXPECT_EQ(d, result);
}

TEST_F(Mxfp4Walk, Ties) {
  const ExactTerm term = block_dot(row_a, row_b, 0, 32);
  for (const uint32_t start : {0x483C614FU, 0x483C614EU}) {
    const Addition addition(exact_term(start), term);
    EXPECT_EQ(addition.left, 1);
    EXPECT_EQ(addition.dropped_text(), "1");
    EXPECT_EQ(addition.kept, start == 0x483C614F ? 0xBC61C9 : 0xBC61C8);
  }
  expect_figure("0x483C614F to " + hex(accumulated(0x483C614F, term), 8),
                "0x483C614F to 0x483C61CA");
  expect_figure("0x483C614E to " + hex(accumulated(0x483C614E, term), 8),
                "0x483C614E to 0x483C61C8");
}

// The HiF4 units.

constexpr std::array<float, 64> kUnitA{
    45.5F,       -30,     12.25F, 3,       20,       -7.5F,   1.5F,   0.375F,  15,      -11,
    4.5F,        0.75F,   9,      -6,      6.71875F, -0.5F,   24,     10.5F,   -18.75F, 1.125F,
    23.75F,      -22.5F,  16.5F,  -1.5F,   0.5F,     -0.25F,  0.75F,  0,       0.0625F, -0.125F,
    -0.0078125F, 0.3125F, 11.75F, -8.25F,  5,        0.1875F, -12,    3.75F,   6.75F,   -1.3125F,
    3.5F,        -2.625F, 1.875F, 0.9375F, -33,      27,      0.625F, -14.25F, 1,       2,
    -3,          4,       5,      -6,      7,        -8,      17.5F,  -13.5F,  21,      -0.8125F,
    0,           -0.0F,   10,     -2.75F};

/// In 32nds.
constexpr std::array<float, 64> kUnitB32{
    33,     -12,  7,      -1.5F,  18,    -16,     0.5F,   2.5F, -9,   6,     4,     -0.25F, 10,
    -3,     8.5F, 1,      5,      -7.5F, 2,       9.5F,   -14,  11,   -2,    0.75F, 0.125F, -0.375F,
    1.375F, 0,    1,      -1.25F, 3,     -0.625F, 20,     -19,  6.5F, 3.25F, -25,   15,     1.75F,
    -8,     12,   -10.5F, 0.875F, 4.5F,  13,      -2.25F, 17,   -6,   1,     -1,    2,      -2,
    3,      -3,   4,      -4,     28,    9,       -5.5F,  0.5F, -20,  14.5F, 16,    -31};

Hif4Unit quantized(std::array<float, 64> values, float factor, const char* name) {
  for (float& value : values) {
    value *= factor;
  }
  return quantize_hif4(values.data(), std::get<Hif4Rule>(preset(kHif4, name).rule));
}

PackedMatrix packed(const Hif4Unit& unit) {
  const auto record = pack(unit);
  PackedMatrix matrix = make_packed_matrix(kHif4, 1, 64);
  matrix.scales.assign(record.begin(), record.begin() + kHif4ScaleBytes);
  matrix.codes.assign(record.begin() + kHif4ScaleBytes, record.end());
  return matrix;
}

/// The reciprocal of level 1; BF16 bits are the upper half of FP32's.
float reciprocal(const Hif4Unit& unit) {
  return bits_float(uint32_t{e6m2_reciprocal_bf16(unit.e6m2)} << 16);
}

/// `value` to the 8 significant bits of BF16, nearest even as the host rounds.
float in_bf16(float value) {
  int exponent = 0;
  const float fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
}

float largest(const std::array<float, 64>& values, int first, int count) {
  float result = 0;
  for (int i = first; i < first + count; ++i) {
    result = std::max(result, std::fabs(values[static_cast<size_t>(i)]));
  }
  return result;
}

/// "| group of 4 | inputs | scaled maximum | level-3 bit | micro-exponent | quarters |".
std::string hif4_row(const Hif4Unit& unit, const std::array<float, 64>& values, float factor,
                     size_t group) {
  const int first = static_cast<int>(4 * group);
  const int level2 = (unit.e1_8 >> (group / 2)) & 1;
  const double scaled =
      static_cast<double>(largest(values, first, 4) * factor * reciprocal(unit)) / (1 << level2);
  EXPECT_EQ(scaled >= 2, ((unit.e1_16 >> group) & 1) == 1);
  std::string quarters;
  for (int i = first; i < first + 4; ++i) {
    const int code = unit.codes[static_cast<size_t>(i)];
    quarters +=
        (i == first ? "" : " ") + std::string(code >= 8 ? "-" : "") + std::to_string(code & 7);
  }
  return "| " + std::to_string(group) + " | " +
         listed(values.begin() + first, values.begin() + first + 4) + " | " + number(scaled) +
         " | " + std::to_string((unit.e1_16 >> group) & 1) + " | " +
         std::to_string(unit.micro_exponent(first)) + " | " + quarters + " |";
}

/// What level 2 compares with 4, one figure a group of 8.
std::string level2_row(const Hif4Unit& unit, const std::array<float, 64>& values, float factor) {
  std::array<float, 8> scaled{};
  for (int group = 0; group < 8; ++group) {
    const float product = largest(values, 8 * group, 8) * factor * reciprocal(unit);
    EXPECT_EQ(product >= 4, ((unit.e1_8 >> group) & 1) == 1);
    scaled[static_cast<size_t>(group)] = product;
  }
  return listed(scaled.begin(), scaled.end());
}

class Hif4Walk : public testing::Test {
 protected:
  const Hif4Unit unit_a = quantized(kUnitA, 1, "amct");
  const Hif4Unit unit_b = quantized(kUnitB32, 0x1p-5F, "amct");
  const ExactTerm term =
      block_dot(decode_row(packed(unit_a), 0), decode_row(packed(unit_b), 0), 0, 64);
};

TEST_F(Hif4Walk, Level1) {
  constexpr float kOneSeventh = 0.142578125F;
  const float product_a = 45.5F * kOneSeventh;
  expect_figure(number(product_a) + ", in BF16 " + number(in_bf16(product_a)),
                "6.4873046875, in BF16 6.5");
  expect_figure(
      "E6M2 code " + hex(unit_a.e6m2, 2) + " = " + number(decode_double(kE6m2Format, unit_a.e6m2)),
      "E6M2 code 0xCA = 6");
  expect_figure(hex(e6m2_reciprocal_bf16(unit_a.e6m2), 4) + " = " + number(reciprocal(unit_a)),
                "0x3E2B = 0.1669921875");
  const float product_b = 1.03125F * kOneSeventh;
  expect_figure(number(product_b) + ", in BF16 " + number(in_bf16(product_b)),
                "0.14703369140625, in BF16 0.1474609375");
  expect_figure(
      "E6M2 code " + hex(unit_b.e6m2, 2) + " = " + number(decode_double(kE6m2Format, unit_b.e6m2)),
      "E6M2 code 0xB5 = 0.15625");
  expect_figure(hex(e6m2_reciprocal_bf16(unit_b.e6m2), 4) + " = " + number(reciprocal(unit_b)),
                "0x40CD = 6.40625");
}

TEST_F(Hif4Walk, Level2) {
  expect_figure(level2_row(unit_a, kUnitA, 1),
                "7.59814453125 2.5048828125 4.0078125 0.125244140625 2.00390625 5.5107421875 "
                "1.3359375 3.5068359375");
  expect_figure("E1_8 = " + hex(unit_a.e1_8, 2), "E1_8 = 0x25");
  expect_figure(level2_row(unit_b, kUnitB32, 0x1p-5F),
                "6.6064453125 2.001953125 2.802734375 0.6005859375 5.0048828125 3.4033203125 "
                "0.80078125 6.2060546875");
  expect_figure("E1_8 = " + hex(unit_b.e1_8, 2), "E1_8 = 0x91");
}

constexpr std::array<const char*, 16> kRowsOfUnitA{
    "| 0 | 45.5 -30 12.25 3 | 3.799072265625 | 1 | 2 | 7 -5 2 1 |",
    "| 1 | 20 -7.5 1.5 0.375 | 1.669921875 | 0 | 1 | 7 -3 1 0 |",
    "| 2 | 15 -11 4.5 0.75 | 2.5048828125 | 1 | 1 | 5 -4 2 0 |",
    "| 3 | 9 -6 6.71875 -0.5 | 1.5029296875 | 0 | 0 | 6 -4 5 -0 |",
    "| 4 | 24 10.5 -18.75 1.125 | 2.00390625 | 1 | 2 | 4 2 -3 0 |",
    "| 5 | 23.75 -22.5 16.5 -1.5 | 1.9830322265625 | 0 | 1 | 7 -7 6 -1 |",
    "| 6 | 0.5 -0.25 0.75 0 | 0.125244140625 | 0 | 0 | 0 -0 1 0 |",
    "| 7 | 0.0625 -0.125 -0.0078125 0.3125 | 0.05218505859375 | 0 | 0 | 0 -0 -0 0 |",
    "| 8 | 11.75 -8.25 5 0.1875 | 1.962158203125 | 0 | 0 | 7 -6 3 0 |",
    "| 9 | -12 3.75 6.75 -1.3125 | 2.00390625 | 1 | 1 | -4 1 2 -0 |",
    "| 10 | 3.5 -2.625 1.875 0.9375 | 0.292236328125 | 0 | 1 | 1 -1 1 0 |",
    "| 11 | -33 27 0.625 -14.25 | 2.75537109375 | 1 | 2 | -6 5 0 -2 |",
    "| 12 | 1 2 -3 4 | 0.66796875 | 0 | 0 | 1 1 -2 3 |",
    "| 13 | 5 -6 7 -8 | 1.3359375 | 0 | 0 | 3 -4 5 -5 |",
    "| 14 | 17.5 -13.5 21 -0.8125 | 3.5068359375 | 1 | 1 | 6 -5 7 -0 |",
    "| 15 | 0 -0 10 -2.75 | 1.669921875 | 0 | 0 | 0 0 7 -2 |"};

TEST_F(Hif4Walk, Level3AndElementsOfA) {
  for (size_t group = 0; group < 16; ++group) {
    expect_figure(hif4_row(unit_a, kUnitA, 1, group), kRowsOfUnitA[group]);
  }
  expect_figure("E1_16 = " + hex(unit_a.e1_16, 4), "E1_16 = 0x4A15");
}

constexpr std::array<const char*, 16> kRowsOfUnitB{
    "| 0 | 33 -12 7 -1.5 | 3.30322265625 | 1 | 2 | 7 -2 1 -0 |",
    "| 1 | 18 -16 0.5 2.5 | 1.8017578125 | 0 | 1 | 7 -6 0 1 |",
    "| 2 | -9 6 4 -0.25 | 1.8017578125 | 0 | 0 | -7 5 3 -0 |",
    "| 3 | 10 -3 8.5 1 | 2.001953125 | 1 | 1 | 4 -1 3 0 |",
    "| 4 | 5 -7.5 2 9.5 | 1.90185546875 | 0 | 0 | 4 -6 2 7 |",
    "| 5 | -14 11 -2 0.75 | 2.802734375 | 1 | 1 | -6 4 -1 0 |",
    "| 6 | 0.125 -0.375 1.375 0 | 0.2752685546875 | 0 | 0 | 0 -0 1 0 |",
    "| 7 | 1 -1.25 3 -0.625 | 0.6005859375 | 0 | 0 | 1 -1 2 -1 |",
    "| 8 | 20 -19 6.5 3.25 | 2.001953125 | 1 | 2 | 4 -4 1 1 |",
    "| 9 | -25 15 1.75 -8 | 2.50244140625 | 1 | 2 | -5 3 0 -2 |",
    "| 10 | 12 -10.5 0.875 4.5 | 2.40234375 | 1 | 1 | 5 -4 0 2 |",
    "| 11 | 13 -2.25 17 -6 | 3.4033203125 | 1 | 1 | 5 -1 7 -2 |",
    "| 12 | 1 -1 2 -2 | 0.400390625 | 0 | 0 | 1 -1 2 -2 |",
    "| 13 | 3 -3 4 -4 | 0.80078125 | 0 | 0 | 2 -2 3 -3 |",
    "| 14 | 28 9 -5.5 0.5 | 2.802734375 | 1 | 2 | 6 2 -1 0 |",
    "| 15 | -20 14.5 16 -31 | 3.10302734375 | 1 | 2 | -4 3 3 -6 |"};

TEST_F(Hif4Walk, Level3AndElementsOfB) {
  for (size_t group = 0; group < 16; ++group) {
    expect_figure(hif4_row(unit_b, kUnitB32, 0x1p-5F, group), kRowsOfUnitB[group]);
  }
  expect_figure("E1_16 = " + hex(unit_b.e1_16, 4), "E1_16 = 0xCF29");
}

// Element 14 lies just under a tie; its rounding to BF16 makes it one, and presets part there.
TEST_F(Hif4Walk, ATieOfTheSoftwareReference) {
  const float scaled = 6.71875F * reciprocal(unit_a);
  expect_figure(number(4 * scaled), "4.4879150390625");
  EXPECT_EQ(in_bf16(scaled), 1.125F);
  EXPECT_EQ(unit_a.codes[14], 5);
  EXPECT_EQ(quantized(kUnitA, 1, "model_a6_rne").codes[14], 4);
}

TEST_F(Hif4Walk, LargestElementSaturates) {
  expect_figure("7/4 * 2^2 * 6 = " + number(decode(unit_a)[0]), "7/4 * 2^2 * 6 = 42");
  const float scaled = 45.5F * (reciprocal(unit_a) / 4);
  expect_figure(number(4 * in_bf16(scaled)), "7.59375");
}

TEST_F(Hif4Walk, GroupSums) {
  const char* rows[] = {
      "| 0 | 14 -10 4 2 7 -3 1 0 | 14 -4 2 0 7 -6 0 1 | 311 | 1 + 1 | 1244 |",
      "| 1 | 10 -8 4 0 6 -4 5 0 | -7 5 3 0 8 -2 6 0 | -12 | 0 + 0 | -12 |",
      "| 2 | 8 4 -6 0 7 -7 6 -1 | 4 -6 2 7 -12 8 -2 0 | -156 | 1 + 0 | -312 |",
      "| 3 | 0 0 1 0 0 0 0 0 | 0 0 1 0 1 -1 2 -1 | 1 | 0 + 0 | 1 |",
      "| 4 | 7 -6 3 0 -8 2 4 0 | 8 -8 2 2 -10 6 0 -4 | 202 | 0 + 1 | 404 |",
      "| 5 | 1 -1 1 0 -12 10 0 -4 | 10 -8 0 4 10 -2 14 -4 | -106 | 1 + 0 | -212 |",
      "| 6 | 1 1 -2 3 3 -4 5 -5 | 1 -1 2 -2 2 -2 3 -3 | 34 | 0 + 0 | 34 |",
      "| 7 | 12 -10 14 0 0 0 7 -2 | 12 4 -2 0 -8 6 6 -12 | 142 | 0 + 1 | 284 |"};
  const ExactRow row_a = decode_row(packed(unit_a), 0);
  const ExactRow row_b = decode_row(packed(unit_b), 0);
  int unit_sum = 0;
  for (size_t group = 0; group < 8; ++group) {
    const int level2_a = (unit_a.e1_8 >> group) & 1;
    const int level2_b = (unit_b.e1_8 >> group) & 1;
    // The reference multiplies level 2 into the elements; the datapath shifts the group's sum.
    std::array<int, 8> x{};
    std::array<int, 8> y{};
    int sum = 0;
    for (size_t k = 0; k < 8; ++k) {
      const size_t i = 8 * group + k;
      x[k] = row_a.elements[i] / (1 << level2_a);
      y[k] = row_b.elements[i] / (1 << level2_b);
      sum += x[k] * y[k];
    }
    const int shifted = sum * (1 << (level2_a + level2_b));
    unit_sum += shifted;
    std::ostringstream row;
    row << "| " << group << " | " << listed(x.begin(), x.end()) << " | "
        << listed(y.begin(), y.end()) << " | " << sum << " | " << level2_a << " + " << level2_b
        << " | " << shifted << " |";
    expect_figure(row.str(), rows[group]);
  }
  expect_figure("S = " + std::to_string(unit_sum), "S = 1431");
}

TEST_F(Hif4Walk, Term) {
  expect_figure("1431 * 30 = " + std::to_string(term.significand), "1431 * 30 = 42930");
  expect_figure("2 - 3 - 8 = " + std::to_string(term.exponent), "2 - 3 - 8 = -9");
  const uint32_t bits = round_sum(&term, 1);
  expect_figure(number(bits_float(bits)) + " = " + hex(bits, 8), "83.84765625 = 0x42A7B200");
  double unquantized = 0;
  for (size_t i = 0; i < kUnitA.size(); ++i) {
    unquantized += static_cast<double>(kUnitA[i]) * static_cast<double>(kUnitB32[i]) / 32;
  }
  expect_figure(number(unquantized), "89.63818359375");
}

TEST_F(Hif4Walk, Accumulation) {
  constexpr uint32_t kStart = 0xB7D3C5D1;
  const ExactTerm start = exact_term(kStart);
  expect_figure(
      "0xB7D3C5D1 = -" + hex(-start.significand, 6) + " * 2^" + std::to_string(start.exponent),
      "0xB7D3C5D1 = -0xD3C5D1 * 2^-39");
  expect_figure(hex(term.significand, 4) + " * 2^" + std::to_string(term.exponent),
                "0xA7B2 * 2^-9");
  const Addition addition(start, term);
  EXPECT_EQ(addition.left, 27);
  EXPECT_EQ(addition.right, 3);
  expect_figure("0xD3C5D1 >> 3 = " + hex(-start.significand >> 3, 6), "0xD3C5D1 >> 3 = 0x1A78BA");
  EXPECT_EQ(-start.significand & 7, 1);
  expect_figure(
      hex(addition.high, 11) + " - " + hex(-addition.low, 6) + " = " + hex(addition.sum, 11),
      "0x53D90000000 - 0x1A78BB = 0x53D8FE58745");
  expect_figure(addition.last_bit_text(), "last bit 2^-36, 43 bits");
  expect_figure(hex(addition.kept, 6) + " | " + addition.dropped_text(),
                "0xA7B1FC | 1011000011101000101");
  const uint32_t result = accumulated(kStart, term);
  expect_figure("0xA7B1FD * 2^-17 = " + hex(result, 8), "0xA7B1FD * 2^-17 = 0x42A7B1FD");
  uint32_t d = 0;
  const uint32_t c = kStart;
  reference_gemm(packed(unit_a), packed(unit_b), Accumulation::kFp32Rne, &c, &d, 1);
  EXPECT_EQ(d, result);
}

}  // namespace
}  // namespace nibblecore
