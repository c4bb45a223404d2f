// SPDX-License-Identifier: Apache-2.0
// Expected values are FP64 products of decoded values. They are exact: an element times its scale
// has at most 6 significant bits and a product of two at most 12, with exponents within +-256.
#include "model/reference/exact_operand.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "model/formats/dequantize.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/hif4_unit.hpp"
#include "model/formats/s1p2.hpp"
#include "model/formats/ue4m3.hpp"
#include "tests/unit/reference/dot_definition.hpp"
#include "tests/unit/reference/packed_rows.hpp"

namespace nibblecore {
namespace {

double value_of(const ExactTerm& term) {
  return std::ldexp(static_cast<double>(term.significand), term.exponent);
}

double value_of(const ExactRow& row, int64_t i, int block) {
  const ExactScale& scale = row.scales[static_cast<size_t>(i / block)];
  return std::ldexp(row.elements[static_cast<size_t>(i)] * scale.significand, scale.exponent);
}

/// One block of zeros but for `code` at position `i`.
ExactRow single_element(const BlockFormat& format, uint8_t unit_scale, int i, uint8_t code) {
  PackedMatrix matrix = make_packed_matrix(format, 1, format.block);
  matrix.scales[0] = unit_scale;
  set_packed_code(matrix.row_codes(0), i, code);
  return decode_row(matrix, 0);
}

void expect_every_pair(const BlockFormat& format, const NumberFormat& element, uint8_t unit_scale) {
  for (int i = 0; i < format.block; ++i) {
    for (uint8_t x = 0; x < 16; ++x) {
      const ExactRow a = single_element(format, unit_scale, i, x);
      for (uint8_t y = 0; y < 16; ++y) {
        const ExactRow b = single_element(format, unit_scale, i, y);
        EXPECT_EQ(value_of(block_dot(a, b, 0, format.block)),
                  decode_double(element, x) * decode_double(element, y))
            << int{x} << " * " << int{y} << " at " << i;
      }
    }
  }
}

TEST(BlockDot, EveryPairOfE2m1CodesAtEveryPosition) {
  expect_every_pair(kMxfp4, kE2m1Format, 127);
  expect_every_pair(kNvfp4, kE2m1Format, 0x38);
}

TEST(BlockDot, EveryPairOfS1p2CodesAtEveryPosition) { expect_every_pair(kHif4, kS1p2Format, 0xC0); }

TEST(BlockDot, ElementsOfOtherPositionsDoNotMeet) {
  for (const BlockFormat& format : every_format()) {
    for (int i = 0; i < format.block; ++i) {
      const ExactRow a = single_element(format, 0x38, i, 7);
      const ExactRow b = single_element(format, 0x38, (i + 1) % format.block, 7);
      EXPECT_EQ(block_dot(a, b, 0, format.block).significand, 0);
    }
  }
}

/// Block i of a row has scale code i and starts with the element code 3.
void expect_every_scale(const BlockFormat& format, const NumberFormat& element,
                        const NumberFormat& scale_format) {
  PackedMatrix matrix = make_packed_matrix(format, 1, int64_t{256} * format.block);
  for (int64_t code = 0; code < 256; ++code) {
    matrix.row_scales(0)[code * format.scale_bytes()] = static_cast<uint8_t>(code);
    set_packed_code(matrix.row_codes(0), code * format.block, 3);
  }
  const ExactRow row = decode_row(matrix, 0);
  ASSERT_EQ(row.scales.size(), 256U);
  for (uint32_t code = 0; code < 256; ++code) {
    const double scale = decode_double(scale_format, code);
    EXPECT_EQ(row.scales[code].is_nan, std::isnan(scale)) << code;
    if (!std::isnan(scale)) {
      const double element_value = decode_double(element, 3);
      const int64_t i = int64_t{code} * format.block;
      EXPECT_EQ(value_of(row, i, format.block), element_value * scale) << code;
      EXPECT_EQ(value_of(block_dot(row, row, code, format.block)),
                element_value * element_value * scale * scale)
          << code;
    }
  }
}

TEST(DecodeRow, EveryE8m0Scale) {
  expect_every_scale(kMxfp4, kE2m1Format, kE8m0Format);
  expect_every_scale(make_block_format("mxfp4", 64, "ue8m0"), kE2m1Format, kE8m0Format);
}

TEST(DecodeRow, EveryUe4m3Scale) {
  expect_every_scale(kNvfp4, kE2m1Format, kUe4m3Format);
  expect_every_scale(make_block_format("nvfp4", 32, "ue4m3"), kE2m1Format, kUe4m3Format);
}

TEST(DecodeRow, EveryE6m2Scale) { expect_every_scale(kHif4, kS1p2Format, kE6m2Format); }

TEST(DecodeRow, NanScalesAreOneCodeOfEachFormat) {
  for (const BlockFormat& format : every_format()) {
    int nans = 0;
    PackedMatrix matrix = make_packed_matrix(format, 1, format.block);
    for (uint32_t code = 0; code < 256; ++code) {
      matrix.scales[0] = static_cast<uint8_t>(code);
      nans += decode_row(matrix, 0).scales[0].is_nan ? 1 : 0;
    }
    // UE4M3 ignores bit 7.
    EXPECT_EQ(nans, format.scale == ScaleKind::kUe4m3 ? 2 : 1);
  }
}

void expect_micro_exponents(uint32_t e1_8, uint32_t e1_16) {
  Hif4Unit unit;
  unit.e6m2 = 0xC2;
  unit.e1_8 = static_cast<uint8_t>(e1_8);
  unit.e1_16 = static_cast<uint16_t>(e1_16);
  for (size_t i = 0; i < unit.codes.size(); ++i) {
    unit.codes[i] = static_cast<uint8_t>(1 + i % 15);
  }
  const auto record = pack(unit);
  PackedMatrix matrix = make_packed_matrix(kHif4, 1, 64);
  matrix.scales.assign(record.begin(), record.begin() + kHif4ScaleBytes);
  matrix.codes.assign(record.begin() + kHif4ScaleBytes, record.end());
  const ExactRow row = decode_row(matrix, 0);
  const auto values = decode(unit);
  double squares = 0;
  for (int64_t i = 0; i < 64; ++i) {
    const auto value = static_cast<double>(values[static_cast<size_t>(i)]);
    ASSERT_EQ(value_of(row, i, 64), value) << e1_8 << ", " << e1_16 << ", " << i;
    squares += value * value;
  }
  ASSERT_EQ(value_of(block_dot(row, row, 0, 64)), squares);
}

// The 2^24 patterns fall into eight independent level-2 groups of three bits each: every pattern
// of level 3 under varying level 2 and the reverse cover each group's eight many times.
TEST(DecodeRow, MicroExponentPatterns) {
  for (uint32_t e1_16 = 0; e1_16 < 65536; ++e1_16) {
    expect_micro_exponents((e1_16 * 0x9E3779B1U) >> 24, e1_16);
  }
  for (uint32_t e1_8 = 0; e1_8 < 256; ++e1_8) {
    for (const uint32_t e1_16 : {0x0000U, 0xFFFFU, 0x5555U, 0xAAAAU, 0x8001U}) {
      expect_micro_exponents(e1_8, e1_16);
    }
  }
}

TEST(DecodeRow, ValuesOfRandomRowsWithTails) {
  std::mt19937 random(1);
  for (const BlockFormat& format : every_format()) {
    // Scales without NaN under which FP32 holds every value.
    const auto scale = [&] { return static_cast<uint32_t>(random() % 126); };
    const PackedMatrix matrix = random_packed(format, 20, 3 * 64 + 5, random, scale);
    std::vector<float> values(static_cast<size_t>(matrix.k));
    for (int64_t m = 0; m < matrix.rows; ++m) {
      const ExactRow row = decode_row(matrix, m);
      ASSERT_EQ(row.scales.size(), static_cast<size_t>(matrix.blocks()));
      ASSERT_EQ(row.elements.size(), static_cast<size_t>(matrix.blocks() * format.block));
      dequantize_row(matrix, m, values.data());
      for (int64_t i = 0; i < matrix.k; ++i) {
        ASSERT_EQ(value_of(row, i, format.block),
                  static_cast<double>(values[static_cast<size_t>(i)]));
        ASSERT_EQ(value_of(row, i, format.block), element_value(matrix, m, i));
      }
      for (auto i = static_cast<size_t>(matrix.k); i < row.elements.size(); ++i) {
        ASSERT_EQ(row.elements[i], 0);
      }
    }
  }
}

/// A block of largest elements, micro-exponents set, under `scale`.
ExactRow largest_block(const BlockFormat& format, uint8_t scale) {
  PackedMatrix matrix = make_packed_matrix(format, 1, format.block);
  matrix.codes.assign(matrix.codes.size(), 0x77);
  matrix.scales.assign(matrix.scales.size(), 0xFF);
  matrix.scales[0] = scale;
  return decode_row(matrix, 0);
}

TEST(BlockDot, LargestTermOfEachFormat) {
  const auto largest = [](const BlockFormat& format, uint8_t scale) {
    const ExactRow row = largest_block(format, scale);
    return block_dot(row, row, 0, format.block);
  };
  EXPECT_EQ(largest(kMxfp4, 254).significand, 4608);
  EXPECT_EQ(largest(kMxfp4, 254).exponent, 252);
  EXPECT_EQ(largest(kMxfp4, 0).exponent, -256);
  EXPECT_EQ(largest(kNvfp4, 0x77).significand, 518'400);
  EXPECT_EQ(largest(kNvfp4, 0x7E).exponent, 8);
  // A subnormal scale is not normalised: significand 1, exponent that of the smallest normal.
  EXPECT_EQ(largest(kNvfp4, 0x01).significand, 2304);
  EXPECT_EQ(largest(kNvfp4, 0x01).exponent, -20);
  EXPECT_EQ(largest(kHif4, 0xFB).significand, 2'458'624);
  EXPECT_EQ(largest(kHif4, 0xFE).exponent, 22);
  EXPECT_EQ(largest(kHif4, 0x00).exponent, -104);
  EXPECT_EQ(largest(make_block_format("mxfp4", 64, "ue8m0"), 127).significand, 9216);
}

}  // namespace
}  // namespace nibblecore
