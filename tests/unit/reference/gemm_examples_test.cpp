// SPDX-License-Identifier: Apache-2.0
// Dot products of operands that other projects' quantizers wrote and of block-scaled MMA tiles,
// against results computed exactly elsewhere.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/reference/exact_operand.hpp"
#include "model/reference/gemm.hpp"
#include "tests/unit/quantize/vectors.hpp"
#include "tests/unit/reference/fp32_definition.hpp"
#include "tests/unit/reference/packed_rows.hpp"

namespace nibblecore {
namespace {

int element_sum(const ExactRow& a, const ExactRow& b) {
  int sum = 0;
  for (size_t i = 0; i < a.elements.size(); ++i) {
    sum += a.elements[i] * b.elements[i];
  }
  return sum;
}

uint32_t one_block(const ExactRow& a, const ExactRow& b, const BlockFormat& format) {
  return reference_dot(a, b, format, 0, Accumulation::kFp32Rne);
}

TEST(ReferenceExamples, Hif4UnitPairs) {
  struct Pair {
    int64_t a;
    int64_t b;
    int a_scale;
    int b_scale;
    int sum;
    int significand;
    int exponent;
    uint32_t dot;
  };
  const Pair pairs[] = {{0, 1, 0x91, 0x92, -1100, 30, -32, 0xB700E800},
                        {10, 700, 0x92, 0xB8, -384, 24, -22, 0xBB100000},
                        {5, 1200, 0x92, 0xBD, -1224, 30, -21, 0xBC8F7000},
                        {1000, 1001, 0xC0, 0xBF, -243, 28, -9, 0xC154A000},
                        {1300, 1500, 0xDC, 0xC7, -19, 28, 0, 0xC4050000},
                        {1800, 2100, 0xC1, 0xBA, 1568, 30, -10, 0x4237C000},
                        {2000, 2000, 0xB6, 0xB6, 17408, 36, -14, 0x42190000},
                        {2300, 2400, 0xC2, 0x00, -1624, 24, -56, 0xAB184000}};
  const PackedMatrix units = amct_units();
  for (const Pair& pair : pairs) {
    SCOPED_TRACE(pair.a);
    EXPECT_EQ(units.row_scales(pair.a)[0], pair.a_scale);
    EXPECT_EQ(units.row_scales(pair.b)[0], pair.b_scale);
    const ExactRow a = decode_row(units, pair.a);
    const ExactRow b = decode_row(units, pair.b);
    EXPECT_EQ(element_sum(a, b), pair.sum);
    EXPECT_EQ(a.scales[0].significand * b.scales[0].significand, pair.significand);
    const ExactTerm term = block_dot(a, b, 0, 64);
    EXPECT_EQ(term.significand, int64_t{pair.sum} * pair.significand);
    EXPECT_EQ(term.exponent, pair.exponent);
    EXPECT_EQ(one_block(a, b, kHif4), pair.dot);
  }
}

TEST(ReferenceExamples, Mxfp4BlockPairs) {
  struct Pair {
    int64_t a;
    int64_t b;
    int sum;
    int exponent;
    uint32_t dot;
  };
  const Pair pairs[] = {{0, 1, 171, -5, 0x40AB0000},
                        {2, 3, -42, -4, 0xC0280000},
                        {288, 480, -81, 53, 0xDD220000},
                        // Below FP32: of the value only the sign could be left.
                        {1248, 1300, 38, -227, 0x00000000}};
  const PackedMatrix blocks = torchao_floor_blocks();
  for (const Pair& pair : pairs) {
    SCOPED_TRACE(pair.a);
    const ExactRow a = decode_row(blocks, pair.a);
    const ExactRow b = decode_row(blocks, pair.b);
    const ExactTerm term = block_dot(a, b, 0, 32);
    EXPECT_EQ(term.significand, pair.sum);
    EXPECT_EQ(term.exponent, pair.exponent);
    EXPECT_EQ(one_block(a, b, kMxfp4), pair.dot);
  }
}

// The published claim that every 64-long HiF4 dot product is an FP32 number.
TEST(ReferenceExamples, RandomHif4PairsGiveTheExactSumOfProducts) {
  const PackedMatrix units = amct_units();
  const std::vector<uint32_t> values = vector_tensor<uint32_t>("hif4/amct", "dequantized");
  const std::vector<uint8_t> skip = vector_tensor<uint8_t>("hif4/amct", "skip");
  std::vector<size_t> rows;
  for (size_t row = 0; row < skip.size(); ++row) {
    if (skip[row] == 0) {
      rows.push_back(row);
    }
  }
  ASSERT_EQ(rows.size(), 2709U);
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const size_t a = rows[random() % rows.size()];
    const size_t b = rows[random() % rows.size()];
    FixedPoint sum = 0;
    for (size_t k = 0; k < 64; ++k) {
      sum += fixed_point(static_cast<double>(bits_float(values[a * 64 + k])) *
                         static_cast<double>(bits_float(values[b * 64 + k])));
    }
    const uint32_t dot = one_block(decode_row(units, static_cast<int64_t>(a)),
                                   decode_row(units, static_cast<int64_t>(b)), kHif4);
    ASSERT_EQ(dot, nearest_fp32(sum)) << a << ", " << b;
    ASSERT_EQ(fixed_point(static_cast<double>(bits_float(dot))), sum) << a << ", " << b;
  }
}

/// One output of an MMA tile: 64 codes of a row of A and of a column of B, their scales, C.
struct MmaOutput {
  BlockFormat format;
  const char* a;
  const char* a_scale;
  const char* b;
  const char* b_scale;
  uint32_t c;
};

struct MmaRows {
  explicit MmaRows(const MmaOutput& output)
      : a(decode_row(packed_row(output.format, output.a, output.a_scale), 0)),
        b(decode_row(packed_row(output.format, output.b, output.b_scale), 0)) {}
  ExactRow a;
  ExactRow b;
};

/// The accumulator after each block.
std::vector<uint32_t> accumulators(const MmaOutput& output) {
  const MmaRows rows(output);
  const auto block = static_cast<size_t>(output.format.block);
  std::vector<uint32_t> result;
  for (size_t count = 1; count <= rows.a.scales.size(); ++count) {
    ExactRow a = rows.a;
    ExactRow b = rows.b;
    for (ExactRow* row : {&a, &b}) {
      row->elements.resize(count * block);
      row->scales.resize(count);
    }
    result.push_back(reference_dot(a, b, output.format, output.c, Accumulation::kFp32Rne));
  }
  return result;
}

uint32_t fused(const MmaOutput& output) {
  const MmaRows rows(output);
  return reference_dot(rows.a, rows.b, output.format, output.c, Accumulation::kFp32Fused);
}

using Bits = std::vector<uint32_t>;

// rtxblackwell_mma_m16n8k64_block16_ue4m3, tile 0, output (0, 0).
TEST(ReferenceExamples, Nvfp4MmaOutput) {
  const MmaOutput output{
      kNvfp4,     "ef978032a49d2b189c43aeda4e5256e4524ece5fd004b3e55aabd98329325e2f",
      "5126552a", "6b15899c83bf235dd7684d18867685cb7d5b34c3fefc9210ee0ad4297a17457b",
      "284c423a", 0xBE85935A};
  EXPECT_EQ(accumulators(output), (Bits{0x42867A6D, 0x42D29A6D, 0x44163B4E, 0x44187A4E}));
  EXPECT_EQ(fused(output), 0x44187A4EU);
  const MmaRows rows(output);
  const int64_t terms[] = {8640, 19488, 7930, 9200};
  const int exponents[] = {1, -1, 4, -2};
  for (int64_t block = 0; block < 4; ++block) {
    const ExactTerm term = block_dot(rows.a, rows.b, block, 16);
    EXPECT_EQ(term.significand, terms[block]);
    EXPECT_EQ(term.exponent, exponents[block] - 8);
  }
}

// rtxblackwell_mma_m16n8k64_block32_ue8m0, tile 200, output (1, 1).
TEST(ReferenceExamples, Mxfp4MmaOutputWithDistantBlocks) {
  const MmaOutput output{kMxfp4, "11b2f8e4c26f9a525f795d8da7ae0117ec17c5a0e3e6b0902d373b5df7453ccf",
                         "6d84", "9cac07d405f5ab80700980be4ddd1f2f831494e32022a295c98f4956f6240644",
                         "7e7f", 0xBA41721D};
  EXPECT_EQ(accumulators(output), (Bits{0xBA53721D, 0x4451FFF3}));
  const MmaRows rows(output);
  EXPECT_EQ(block_dot(rows.a, rows.b, 0, 32).significand, -91 - 53);
  EXPECT_EQ(block_dot(rows.a, rows.b, 0, 32).exponent, -19 - 2);
  EXPECT_EQ(block_dot(rows.a, rows.b, 1, 32).significand, 72 + 33);
  EXPECT_EQ(block_dot(rows.a, rows.b, 1, 32).exponent, 5 - 2);
}

// The same file, tile 0, output (3, 2).
TEST(ReferenceExamples, Mxfp4MmaOutput) {
  const MmaOutput output{kMxfp4, "a361403d69a2c2dbad0b7b82c4b42a3c592f0259b131fc29a50af28b7578d02d",
                         "807c", "e8cf1ee31ef90e3fd64802949f47b243be0ac8b197ad365924d1642f2966b389",
                         "827f", 0x3E2D03FD};
  EXPECT_EQ(accumulators(output), (Bits{0xC39BEA60, 0xC39B2E60}));
}

// Under these policies a product far below C counts, where a truncating tensor core drops it.
TEST(ReferenceExamples, ProductFarBelowC) {
  PackedMatrix quarter = make_packed_matrix(kMxfp4, 1, 32);
  quarter.scales[0] = 127;
  set_packed_code(quarter.row_codes(0), 0, 1);
  PackedMatrix minus = quarter;
  set_packed_code(minus.row_codes(0), 0, 9);
  const ExactRow a = decode_row(minus, 0);
  const ExactRow b = decode_row(quarter, 0);
  EXPECT_EQ(reference_dot(a, b, kMxfp4, 0x50000000, Accumulation::kFp32Rne), 0x50000000U);
  EXPECT_EQ(reference_dot(a, b, kMxfp4, 0x4A800000, Accumulation::kFp32Rne), 0x4A7FFFFFU);
}

}  // namespace
}  // namespace nibblecore
