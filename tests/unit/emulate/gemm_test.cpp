// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/gemm.hpp"

#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "tests/unit/emulate/gemm_definition.hpp"
#include "tests/unit/emulate/on_every_target.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using Bits = std::vector<uint32_t>;

constexpr uint32_t kPlusZero = 0x00000000;
constexpr uint32_t kMinusZero = 0x80000000;
constexpr uint32_t kPlusInfinity = 0x7F800000;
constexpr uint32_t kMinusInfinity = 0xFF800000;
constexpr uint32_t kLargest = 0x7F7FFFFF;
constexpr uint32_t kNan = 0x7FC00000;

constexpr uint32_t kSpecialStarts[] = {kPlusZero,  kMinusZero,    0x00000001,     0x80000001,
                                       0x007FFFFF, 0x00800000,    0x80800000,     kLargest,
                                       0xFF7FFFFF, kPlusInfinity, kMinusInfinity, 0x7F800001,
                                       0xFFFFFFFF, 0x3F800000,    0xBF800001};

std::vector<BlockFormat> all_formats() {
  std::vector<BlockFormat> formats{make_block_format("hif4", 64, "hif4")};
  for (const int block : {16, 32, 64}) {
    formats.push_back(make_block_format("mxfp4", block, "ue8m0"));
    formats.push_back(make_block_format("mxfp4", block, "ue4m3"));
  }
  return formats;
}

std::string describe(const BlockFormat& format) {
  return std::string(scale_name(format.scale)) + " blocks of " + std::to_string(format.block);
}

/// A matrix of random codes, a tenth of its blocks zero; `scale_code` gives the scale codes.
PackedMatrix random_matrix(const BlockFormat& format, int64_t rows, int64_t k, std::mt19937& random,
                           const std::function<uint32_t()>& scale_code) {
  PackedMatrix matrix = make_packed_matrix(format, rows, k);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t block = 0; block < matrix.blocks(); ++block) {
      uint8_t* scale = matrix.row_scales(row) + block * format.scale_bytes();
      for (int i = 0; i < format.scale_bytes(); ++i) {
        scale[i] = static_cast<uint8_t>(i == 0 ? scale_code() : random());
      }
      const bool zero_block = random() % 10 == 0;
      for (int64_t i = block * format.block; i < std::min(k, (block + 1) * format.block); ++i) {
        set_packed_code(matrix.row_codes(row), i,
                        static_cast<uint8_t>(zero_block ? 8 * (random() % 2) : random() % 16));
      }
    }
  }
  return matrix;
}

Bits random_starts(size_t count, std::mt19937& random) {
  Bits starts(count);
  for (uint32_t& start : starts) {
    start = random() % 3 == 0 ? kSpecialStarts[random() % std::size(kSpecialStarts)]
                              : static_cast<uint32_t>(random());
  }
  return starts;
}

Bits emulate(const PackedMatrix& a, const PackedMatrix& b, const Bits& c, int threads = 1) {
  return test::emulate_on_every_target(a, b, Accumulation::kFp32Rne, c, threads);
}

void expect_defined(const PackedMatrix& a, const PackedMatrix& b, const Bits& c) {
  EXPECT_EQ(emulate(a, b, c), gemm_by_definition(a, b, c)) << a.rows << "x" << b.rows << "x" << a.k;
}

struct Shape {
  int64_t m;
  int64_t n;
  int64_t k;
};

constexpr Shape kShapes[] = {{1, 1, 1},    {1, 97, 65}, {5, 17, 97},   {17, 5, 5},    {65, 1, 17},
                             {17, 33, 64}, {16, 32, 1}, {33, 65, 257}, {49, 33, 1100}};

TEST(EmulateGemm, EqualsTheDefinitionUnderAnyScale) {
  std::mt19937 random(1);
  for (const BlockFormat& format : all_formats()) {
    SCOPED_TRACE(describe(format));
    for (const Shape& shape : kShapes) {
      const auto any_code = [&] { return static_cast<uint32_t>(random() % 256); };
      const PackedMatrix a = random_matrix(format, shape.m, shape.k, random, any_code);
      const PackedMatrix b = random_matrix(format, shape.n, shape.k, random, any_code);
      expect_defined(a, b, random_starts(static_cast<size_t>(shape.m * shape.n), random));
    }
  }
}

TEST(EmulateGemm, EqualsTheDefinitionUnderScalesThatMeet) {
  std::mt19937 random(2);
  for (const BlockFormat& format : all_formats()) {
    SCOPED_TRACE(describe(format));
    const uint32_t center = format.scale == ScaleKind::kE8m0    ? 125
                            : format.scale == ScaleKind::kUe4m3 ? 0x30
                                                                : 0xB4;
    for (const Shape& shape : kShapes) {
      const auto near_code = [&] { return center + static_cast<uint32_t>(random() % 16); };
      const PackedMatrix a = random_matrix(format, shape.m, shape.k, random, near_code);
      const PackedMatrix b = random_matrix(format, shape.n, shape.k, random, near_code);
      expect_defined(a, b, Bits(static_cast<size_t>(shape.m * shape.n), kMinusZero));
    }
  }
}

// Sums of E8M0 exponents around the ends of FP32, where a block value stops being an FP32 number.
TEST(EmulateGemm, EqualsTheDefinitionAtTheEndsOfFp32) {
  std::mt19937 random(3);
  for (const int block : {16, 32, 64}) {
    const BlockFormat format = make_block_format("mxfp4", block, "ue8m0");
    for (const uint32_t sum :
         {0U, 80U, 96U, 100U, 104U, 106U, 108U, 112U, 360U, 366U, 370U, 376U, 384U, 400U, 508U}) {
      SCOPED_TRACE(describe(format) + ", codes that sum to about " + std::to_string(sum));
      const auto near_code = [&] {
        return std::min(254U, sum / 2 + static_cast<uint32_t>(random() % 3));
      };
      const PackedMatrix a = random_matrix(format, 9, 321, random, near_code);
      const PackedMatrix b = random_matrix(format, 41, 321, random, near_code);
      expect_defined(a, b, random_starts(size_t{9} * 41, random));
      expect_defined(a, b, Bits(size_t{9} * 41, kPlusZero));
    }
  }
}

TEST(EmulateGemm, EqualsTheDefinitionWithTensorScales) {
  std::mt19937 random(4);
  const auto code = [&] { return 0x30 + static_cast<uint32_t>(random() % 16); };
  PackedMatrix a = random_matrix(kNvfp4, 7, 97, random, code);
  PackedMatrix b = random_matrix(kNvfp4, 35, 97, random, code);
  const Bits starts = random_starts(size_t{7} * 35, random);
  const float infinity = std::numeric_limits<float>::infinity();
  const std::pair<float, float> scales[] = {{0.1F, 3.7F},     {2.0F, 0.5F},
                                            {1e-30F, 1e-10F}, {1e-40F, 1.0F},
                                            {1e30F, 3e7F},    {1.0000001F, 0.9999999F},
                                            {0.0F, 1.0F},     {infinity, 1.0F},
                                            {infinity, 0.0F}, {-0.7F, 1.0F}};
  for (const auto& [scale_a, scale_b] : scales) {
    SCOPED_TRACE(testing::Message() << scale_a << " * " << scale_b);
    a.tensor_scale = scale_a;
    b.tensor_scale = scale_b;
    expect_defined(a, b, starts);
  }
}

TEST(EmulateGemm, LargestDotsOfEveryFormat) {
  for (const BlockFormat& format : all_formats()) {
    SCOPED_TRACE(describe(format));
    PackedMatrix a = make_packed_matrix(format, 1, 64);
    PackedMatrix b = make_packed_matrix(format, 2, 64);
    const bool hif4 = format.scale == ScaleKind::kHif4;
    const uint8_t one = hif4 ? 0xC0 : format.scale == ScaleKind::kE8m0 ? 127 : 0x38;
    for (PackedMatrix* matrix : {&a, &b}) {
      for (size_t i = 0; i < matrix->scales.size(); ++i) {
        matrix->scales[i] = hif4 && i % 4 != 0 ? 0xFF : one;
      }
    }
    std::fill(a.codes.begin(), a.codes.end(), 0x77);
    std::fill(b.row_codes(0), b.row_codes(1), 0x77);
    std::fill(b.row_codes(1), b.row_codes(1) + b.code_stride(), 0xFF);
    const float largest = hif4 ? 64 * 49 : 64 * 36;
    EXPECT_THAT(emulate(a, b, {}), ElementsAre(float_bits(largest), float_bits(-largest)));
  }
}

TEST(EmulateGemm, BitsDoNotDependOnThreads) {
  std::mt19937 random(5);
  const auto any_code = [&] { return static_cast<uint32_t>(random() % 255); };
  const PackedMatrix a = random_matrix(kMxfp4, 97, 257, random, any_code);
  const PackedMatrix b = random_matrix(kMxfp4, 131, 257, random, any_code);
  const Bits starts = random_starts(size_t{97} * 131, random);
  const Bits one = emulate(a, b, starts, 1);
  for (const int threads : {0, 2, 3, 8}) {
    EXPECT_EQ(emulate(a, b, starts, threads), one) << threads << " threads";
  }
}

TEST(EmulateGemm, StartsAtZeroWithoutCAndMayWriteOverC) {
  std::mt19937 random(6);
  const auto code = [&] { return 120 + static_cast<uint32_t>(random() % 16); };
  const PackedMatrix a = random_matrix(kMxfp4, 20, 70, random, code);
  const PackedMatrix b = random_matrix(kMxfp4, 50, 70, random, code);
  EXPECT_EQ(emulate(a, b, {}), gemm_by_definition(a, b, Bits(size_t{20} * 50, kPlusZero)));
  const Bits starts = random_starts(size_t{20} * 50, random);
  Bits in_place = starts;
  emulate_gemm(a, b, Accumulation::kFp32Rne, in_place.data(), in_place.data(), 2);
  EXPECT_EQ(in_place, gemm_by_definition(a, b, starts));
}

/// Block value sign * 2^exponent, made of one product of ones and two E8M0 scales.
struct PowerBlock {
  int sign;
  int exponent;
};

/// One output that starts at `start` and to which these blocks are added; a sign of 0 is a block
/// of zeros.
uint32_t add_blocks(uint32_t start, const std::vector<PowerBlock>& blocks) {
  const auto k = static_cast<int64_t>(32 * blocks.size());
  PackedMatrix a = make_packed_matrix(kMxfp4, 1, k);
  PackedMatrix b = make_packed_matrix(kMxfp4, 1, k);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const int code = blocks[i].exponent + 254;
    a.scales[i] = static_cast<uint8_t>(code / 2);
    b.scales[i] = static_cast<uint8_t>(code - code / 2);
    if (blocks[i].sign != 0) {
      set_packed_code(a.codes.data(), static_cast<int64_t>(32 * i), blocks[i].sign > 0 ? 0x2 : 0xA);
      set_packed_code(b.codes.data(), static_cast<int64_t>(32 * i), 0x2);
    }
  }
  return emulate(a, b, {start})[0];
}

TEST(EmulateGemm, OverflowsToInfinityFromHalfAStepBeyondTheLargest) {
  EXPECT_EQ(add_blocks(kLargest, {{1, 102}}), kLargest);
  EXPECT_EQ(add_blocks(kLargest, {{1, 103}}), kPlusInfinity);
  EXPECT_EQ(add_blocks(kLargest | kMinusZero, {{-1, 103}}), kMinusInfinity);
  EXPECT_EQ(add_blocks(0x7F7FFFFE, {{1, 103}}), 0x7F7FFFFEU);  // a tie, to even
  EXPECT_EQ(add_blocks(kPlusZero, {{1, 127}}), 0x7F000000U);
  EXPECT_EQ(add_blocks(kPlusZero, {{1, 128}}), kPlusInfinity);
  EXPECT_EQ(add_blocks(kPlusZero, {{-1, 254}}), kMinusInfinity);
}

TEST(EmulateGemm, BlockValuesBeyondFp32AreAddedBeforeTheyAreRounded) {
  // -FLT_MAX + 2^128 = 2^104; a block value rounded by itself would be infinite.
  EXPECT_EQ(add_blocks(kLargest | kMinusZero, {{1, 128}}), 0x73800000U);
  // 2^-150 rounds to 0 by itself, but lifts an odd subnormal to the next even one.
  EXPECT_EQ(add_blocks(0x00000001, {{1, -150}}), 0x00000002U);
  EXPECT_EQ(add_blocks(0x00000002, {{1, -150}}), 0x00000002U);
  EXPECT_EQ(add_blocks(0x00000001, {{-1, -150}}), kPlusZero);
  EXPECT_EQ(add_blocks(0x3F800000, {{1, -254}}), 0x3F800000U);
}

TEST(EmulateGemm, LargestDotReachesBeyondFp32AtTheSmallestScalesThatAllowIt) {
  const BlockFormat format = make_block_format("mxfp4", 64, "ue8m0");
  PackedMatrix a = make_packed_matrix(format, 1, 64);
  std::fill(a.codes.begin(), a.codes.end(), 0x77);
  PackedMatrix b = a;
  // 64 * 36 * 2^117 = 1.125 * 2^128, so that 2^125 + 2^104 is left.
  a.scales[0] = 127 + 58;
  b.scales[0] = 127 + 59;
  EXPECT_THAT(emulate(a, b, {kLargest | kMinusZero}), ElementsAre(0x7E000004U));
}

TEST(EmulateGemm, KeepsInfinityUnlessNan) {
  EXPECT_EQ(add_blocks(kPlusInfinity, {{-1, 254}, {-1, 0}}), kPlusInfinity);
  EXPECT_EQ(add_blocks(kMinusInfinity, {{1, -254}, {0, 0}}), kMinusInfinity);
  EXPECT_EQ(add_blocks(kPlusInfinity, {{1, 128}, {-1, 128}}), kPlusInfinity);
  EXPECT_EQ(add_blocks(0xFF812345, {{1, 0}}), kNan);
  EXPECT_EQ(add_blocks(0x7FFFFFFF, {{1, 254}}), kNan);
}

TEST(EmulateGemm, NanScaleBeatsZeroElementsAndInfinity) {
  for (const BlockFormat& format : all_formats()) {
    SCOPED_TRACE(describe(format));
    PackedMatrix a = make_packed_matrix(format, 2, 64);
    PackedMatrix b = make_packed_matrix(format, 2, 64);
    a.row_scales(1)[0] = 0xFF;
    EXPECT_THAT(emulate(a, b, {kPlusZero, kPlusInfinity, kPlusInfinity, kPlusZero}),
                ElementsAre(kPlusZero, kPlusInfinity, kNan, kNan));
    std::swap(a, b);
    EXPECT_THAT(emulate(a, b, {kPlusZero, kPlusInfinity, kPlusInfinity, kPlusZero}),
                ElementsAre(kPlusZero, kNan, kPlusInfinity, kNan));
  }
}

TEST(EmulateGemm, ExactZeroIsPositiveAndAnUnderflowKeepsItsSign) {
  EXPECT_EQ(add_blocks(kMinusZero, {{0, 0}}), kPlusZero);
  EXPECT_EQ(add_blocks(kMinusZero, {{0, -254}}), kPlusZero);
  EXPECT_EQ(add_blocks(kPlusZero, {{1, 0}, {-1, 0}}), kPlusZero);
  EXPECT_EQ(add_blocks(kPlusZero, {{1, 200}, {-1, 200}}), kPlusInfinity);
  EXPECT_EQ(add_blocks(kPlusZero, {{-1, -150}}), kMinusZero);
  EXPECT_EQ(add_blocks(kPlusZero, {{-1, -254}}), kMinusZero);
  EXPECT_EQ(add_blocks(kPlusZero, {{-1, -254}, {0, -254}}), kPlusZero);
  EXPECT_EQ(add_blocks(kPlusZero, {{-1, -254}, {0, 0}}), kPlusZero);
  EXPECT_EQ(add_blocks(kPlusZero, {{-1, -254}, {1, -254}}), kPlusZero);
}

TEST(EmulateGemm, NegativeDotUnderAZeroScaleIsAnExactZero) {
  PackedMatrix a = make_packed_matrix(kNvfp4, 1, 16);
  PackedMatrix b = make_packed_matrix(kNvfp4, 1, 16);
  a.codes[0] = 0xA;
  b.codes[0] = 0x2;
  b.scales[0] = 0x38;
  EXPECT_THAT(emulate(a, b, {kMinusZero}), ElementsAre(kPlusZero));
  EXPECT_THAT(emulate(a, b, {}), ElementsAre(kPlusZero));
}

TEST(EmulateGemm, RoundsAfterEveryBlockInAscendingK) {
  // At 2^24 one step is 2: each 1 is a tie and goes back to the even number.
  EXPECT_EQ(add_blocks(0x4B800000, {{1, 0}, {1, 0}, {1, 0}}), 0x4B800000U);
  EXPECT_EQ(add_blocks(0x4B800001, {{1, 0}, {1, 0}}), 0x4B800002U);
  EXPECT_EQ(add_blocks(kPlusZero, {{1, 0}, {1, 24}, {-1, 24}}), kPlusZero);
  EXPECT_EQ(add_blocks(kPlusZero, {{1, 24}, {-1, 24}, {1, 0}}), 0x3F800000U);
}

TEST(EmulateGemm, WithoutKReturnsC) {
  const PackedMatrix a = make_packed_matrix(kMxfp4, 1, 0);
  const PackedMatrix b = make_packed_matrix(kMxfp4, 3, 0);
  EXPECT_THAT(emulate(a, b, {kMinusZero, 0x7F800001, 0x12345678}),
              ElementsAre(kMinusZero, kNan, 0x12345678U));
  EXPECT_THAT(emulate(a, b, {}), ElementsAre(kPlusZero, kPlusZero, kPlusZero));
}

TEST(EmulateGemm, WithoutRowsWritesNothing) {
  const PackedMatrix a = make_packed_matrix(kMxfp4, 0, 32);
  const PackedMatrix b = make_packed_matrix(kMxfp4, 3, 32);
  EXPECT_NO_THROW(emulate_gemm(a, b, Accumulation::kFp32Rne, nullptr, nullptr, 1));
  EXPECT_NO_THROW(emulate_gemm(b, a, Accumulation::kFp32Rne, nullptr, nullptr, 1));
}

TEST(EmulateGemm, RefusesOperandsThatDoNotMatch) {
  const PackedMatrix a = make_packed_matrix(kMxfp4, 1, 64);
  uint32_t d = 0;
  const PackedMatrix others[] = {
      make_packed_matrix(kMxfp4, 1, 65), make_packed_matrix(kHif4, 1, 64),
      make_packed_matrix(make_block_format("mxfp4", 16, "ue8m0"), 1, 64),
      make_packed_matrix(make_block_format("mxfp4", 32, "ue4m3"), 1, 64)};
  for (const PackedMatrix& b : others) {
    EXPECT_THROW(emulate_gemm(a, b, Accumulation::kFp32Rne, nullptr, &d, 1), InputError)
        << describe(b.format);
  }
  // The name is only a label: NVFP4's element, scale and block under MXFP4's name are the same.
  const PackedMatrix named = make_packed_matrix(make_block_format("mxfp4", 16, "ue4m3"), 1, 64);
  EXPECT_NO_THROW(emulate_gemm(make_packed_matrix(kNvfp4, 1, 64), named, Accumulation::kFp32Rne,
                               nullptr, &d, 1));
}

}  // namespace
}  // namespace nibblecore
