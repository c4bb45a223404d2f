// SPDX-License-Identifier: Apache-2.0
#include "model/reference/gemm.hpp"

#include <array>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "tests/unit/reference/dot_definition.hpp"
#include "tests/unit/reference/packed_rows.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using Bits = std::vector<uint32_t>;

constexpr uint32_t kMinusZero = 0x80000000;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr uint32_t kMinusInfinity = 0xFF800000;
constexpr uint32_t kLargest = 0x7F7FFFFF;
constexpr uint32_t kNan = 0x7FC00000;

constexpr std::array<Accumulation, 3> kPolicies{Accumulation::kFp32Rne, Accumulation::kFp32Fused,
                                                Accumulation::kExact};

Bits gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy, const Bits& c,
          int threads = 1) {
  // No result is this pattern: an output left unwritten shows.
  Bits d(static_cast<size_t>(a.rows * b.rows), 0x7FDEAD00);
  reference_gemm(a, b, policy, c.empty() ? nullptr : c.data(), d.data(), threads);
  return d;
}

/// Output of one row times one row.
uint32_t dot(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy, uint32_t c) {
  return gemm(a, b, policy, {c}).front();
}

/// [1, k] whose block i holds `codes[i]` (a code with its sign) at its first element and zeros
/// elsewhere, under the E8M0 code `scales[i]`.
PackedMatrix mxfp4_row(int64_t k, const std::vector<uint8_t>& codes,
                       const std::vector<uint8_t>& scales) {
  PackedMatrix row = make_packed_matrix(kMxfp4, 1, k);
  for (size_t i = 0; i < codes.size(); ++i) {
    set_packed_code(row.row_codes(0), static_cast<int64_t>(32 * i), codes[i]);
    row.scales[i] = scales[i];
  }
  return row;
}

/// A second operand of ones at the same places.
PackedMatrix mxfp4_ones(int64_t k) {
  const auto blocks = static_cast<size_t>(make_packed_matrix(kMxfp4, 1, k).blocks());
  return mxfp4_row(k, std::vector<uint8_t>(blocks, 2), std::vector<uint8_t>(blocks, 127));
}

std::string describe(const BlockFormat& format, Accumulation policy) {
  return std::string(scale_name(format.scale)) + " blocks of " + std::to_string(format.block) +
         ", " + std::string(name_of(policy));
}

Bits random_starts(size_t count, std::mt19937& random) {
  constexpr uint32_t kSpecials[] = {0,          kMinusZero,     1,          0x80000001,
                                    0x007FFFFF, 0x80800000,     kLargest,   0xFF7FFFFF,
                                    kInfinity,  kMinusInfinity, 0x7F800001, 0xFFFFFFFF};
  Bits starts(count);
  for (uint32_t& start : starts) {
    start = random() % 3 == 0 ? kSpecials[random() % 12] : static_cast<uint32_t>(random());
  }
  return starts;
}

void expect_definition(const std::function<uint32_t(const BlockFormat&)>& scale_code,
                       std::mt19937& random) {
  for (const BlockFormat& format : every_format()) {
    for (const int64_t k : {1, 15, 48, 64, 97, 200, 323}) {
      const auto scale = [&] { return scale_code(format); };
      PackedMatrix a = random_packed(format, 7, k, random, scale);
      PackedMatrix b = random_packed(format, 6, k, random, scale);
      if (format.scale == ScaleKind::kUe4m3) {
        a.tensor_scale = static_cast<float>(random()) * 0x1p-40F;
        b.tensor_scale = static_cast<float>(random()) * 0x1p-25F;
      }
      const Bits c = random_starts(42, random);
      for (const Accumulation policy : kPolicies) {
        EXPECT_EQ(gemm(a, b, policy, c), gemm_from_values(a, b, policy, c))
            << describe(format, policy) << ", k " << k;
      }
    }
  }
}

TEST(ReferenceGemm, FollowsThePoliciesUnderAnyScale) {
  std::mt19937 random(1);
  expect_definition([&](const BlockFormat&) { return static_cast<uint32_t>(random() % 256); },
                    random);
}

TEST(ReferenceGemm, FollowsThePoliciesUnderScalesThatMeet) {
  std::mt19937 random(2);
  expect_definition(
      [&](const BlockFormat& format) {
        const uint32_t center = format.scale == ScaleKind::kE8m0    ? 120
                                : format.scale == ScaleKind::kUe4m3 ? 0x30
                                                                    : 0xB8;
        return center + static_cast<uint32_t>(random() % 12);
      },
      random);
}

// MXFP4 alone leaves the range of FP32: both ends of its scales.
TEST(ReferenceGemm, FollowsThePoliciesAtTheEndsOfTheRange) {
  std::mt19937 random(3);
  for (const uint32_t center : {46U, 50U, 180U, 186U}) {
    const auto scale = [&] { return center + static_cast<uint32_t>(random() % 8); };
    const PackedMatrix a = random_packed(kMxfp4, 12, 300, random, scale);
    const PackedMatrix b = random_packed(kMxfp4, 12, 300, random, scale);
    const Bits c(144, center < 127 ? kMinusZero : 0xFF7FFFFF);
    for (const Accumulation policy : kPolicies) {
      EXPECT_EQ(gemm(a, b, policy, c), gemm_from_values(a, b, policy, c)) << center;
    }
  }
}

TEST(ReferenceGemm, FusedEqualsRneForBlocksOf64) {
  std::mt19937 random(4);
  for (const BlockFormat& format : every_format()) {
    const auto scale = [&] { return 100 + static_cast<uint32_t>(random() % 30); };
    const PackedMatrix a = random_packed(format, 20, 500, random, scale);
    const PackedMatrix b = random_packed(format, 20, 500, random, scale);
    const Bits rne = gemm(a, b, Accumulation::kFp32Rne, {});
    const Bits fused = gemm(a, b, Accumulation::kFp32Fused, {});
    if (format.block == 64) {
      EXPECT_EQ(fused, rne) << describe(format, Accumulation::kFp32Fused);
    } else if (format.scale == ScaleKind::kE8m0) {
      EXPECT_NE(fused, rne) << describe(format, Accumulation::kFp32Fused);
    }
  }
}

TEST(ReferenceGemm, OrderOfKDecidesBits) {
  const PackedMatrix ones = mxfp4_ones(96);
  const PackedMatrix large_first = mxfp4_row(96, {2, 2, 2}, {151, 127, 127});  // 2^24, 1, 1
  const PackedMatrix large_last = mxfp4_row(96, {2, 2, 2}, {127, 127, 151});
  // 2^24 + 1 is a tie and goes back to 2^24, twice; 1 + 1 + 2^24 is exact.
  EXPECT_EQ(dot(large_first, ones, Accumulation::kFp32Rne, 0), 0x4B800000U);
  EXPECT_EQ(dot(large_last, ones, Accumulation::kFp32Rne, 0), 0x4B800001U);
  EXPECT_EQ(dot(large_first, ones, Accumulation::kExact, 0), 0x4B800001U);
  EXPECT_EQ(dot(large_last, ones, Accumulation::kExact, 0), 0x4B800001U);
  // C comes before the first block.
  EXPECT_EQ(dot(mxfp4_ones(64), mxfp4_ones(64), Accumulation::kFp32Rne, 0x4B800000), 0x4B800000U);
  EXPECT_EQ(dot(mxfp4_ones(64), mxfp4_ones(64), Accumulation::kFp32Fused, 0x4B800000), 0x4B800001U);
}

TEST(ReferenceGemm, FusedWindowsStartAtMultiplesOf64) {
  const PackedMatrix ones = mxfp4_ones(128);
  // 2^24 alone, then 1 and 1 in one window against 1 and 1 split over two.
  EXPECT_EQ(
      dot(mxfp4_row(128, {2, 0, 2, 2}, {151, 127, 127, 127}), ones, Accumulation::kFp32Fused, 0),
      0x4B800001U);
  EXPECT_EQ(
      dot(mxfp4_row(128, {2, 2, 2, 0}, {151, 127, 127, 127}), ones, Accumulation::kFp32Fused, 0),
      0x4B800000U);
}

// Blocks past the last one are not accumulated: adding an exact zero would turn -0 into +0.
TEST(ReferenceGemm, NothingIsAddedPastTheLastBlock) {
  const auto minus_tiny = [](int64_t k) { return mxfp4_row(k, {10}, {0}); };  // -2^-127
  const auto tiny = [](int64_t k) {
    PackedMatrix row = mxfp4_ones(k);
    row.scales[0] = 0;
    return row;
  };
  for (const int64_t k : {1, 16, 31, 32}) {
    EXPECT_EQ(dot(minus_tiny(k), tiny(k), Accumulation::kFp32Rne, 0), kMinusZero) << k;
    EXPECT_EQ(dot(minus_tiny(k), tiny(k), Accumulation::kFp32Fused, 0), kMinusZero) << k;
  }
  for (const int64_t k : {33, 64, 96}) {
    EXPECT_EQ(dot(minus_tiny(k), tiny(k), Accumulation::kFp32Rne, 0), 0U) << k;
    EXPECT_EQ(dot(minus_tiny(k), tiny(k), Accumulation::kExact, 0), kMinusZero) << k;
  }
  EXPECT_EQ(dot(minus_tiny(64), tiny(64), Accumulation::kFp32Fused, 0), kMinusZero);
  EXPECT_EQ(dot(minus_tiny(96), tiny(96), Accumulation::kFp32Fused, 0), 0U);
}

TEST(ReferenceGemm, NoBlocksLeaveC) {
  const PackedMatrix empty = make_packed_matrix(kMxfp4, 1, 0);
  for (const Accumulation policy : kPolicies) {
    EXPECT_EQ(gemm(empty, empty, policy, {}).front(), 0U);
    EXPECT_EQ(dot(empty, empty, policy, kMinusZero), kMinusZero);
    EXPECT_EQ(dot(empty, empty, policy, kMinusInfinity), kMinusInfinity);
    EXPECT_EQ(dot(empty, empty, policy, 0xFF800001), kNan);
  }
}

TEST(ReferenceGemm, ExactZeroIsPositive) {
  const PackedMatrix zeros = make_packed_matrix(kMxfp4, 1, 64);
  const PackedMatrix minus_one = mxfp4_row(64, {10, 0}, {127, 127});
  for (const Accumulation policy : kPolicies) {
    EXPECT_EQ(dot(zeros, zeros, policy, kMinusZero), 0U);
    EXPECT_EQ(dot(minus_one, mxfp4_ones(64), policy, 0x3F800000), 0U);
  }
}

TEST(ReferenceGemm, NanScalesSpreadAlongTheirRowAndColumn) {
  for (const BlockFormat& format : every_format()) {
    const auto nan = static_cast<uint8_t>(format.scale == ScaleKind::kUe4m3 ? 0x7F : 0xFF);
    PackedMatrix a =
        make_packed_matrix(format, 3, int64_t{4} * format.block);  // zeros: NaN all the same
    PackedMatrix b = make_packed_matrix(format, 3, int64_t{4} * format.block);
    a.scales[3 * static_cast<size_t>(format.scale_bytes())] = nan;
    b.row_scales(2)[0] = nan;
    const Bits c{1, 2, 3, 4, 5, 6, kInfinity, kMinusInfinity, kInfinity};
    for (const Accumulation policy : kPolicies) {
      EXPECT_THAT(gemm(a, b, policy, c),
                  ElementsAre(kNan, kNan, kNan, 4, 5, kNan, kInfinity, kMinusInfinity, kNan))
          << describe(format, policy);
    }
  }
}

TEST(ReferenceGemm, InfinityStays) {
  const PackedMatrix ones = mxfp4_ones(96);
  // 2^127 + 2^127 overflows; the last block would bring the sum back.
  const PackedMatrix over_and_back = mxfp4_row(96, {2, 2, 12}, {254, 254, 254});
  EXPECT_EQ(dot(over_and_back, ones, Accumulation::kFp32Rne, 0), kInfinity);
  EXPECT_EQ(dot(over_and_back, ones, Accumulation::kFp32Fused, 0), kInfinity);
  EXPECT_EQ(dot(over_and_back, ones, Accumulation::kExact, 0), 0U);
  for (const Accumulation policy : kPolicies) {
    EXPECT_EQ(dot(over_and_back, ones, policy, kMinusInfinity), kMinusInfinity);
    EXPECT_EQ(dot(ones, ones, policy, kInfinity), kInfinity);
  }
}

TEST(ReferenceGemm, TensorScalesMultiplyTheRoundedSum) {
  PackedMatrix a = make_packed_matrix(kNvfp4, 1, 16);
  set_packed_code(a.row_codes(0), 0, 3);  // 1.5 under scale 1
  a.scales[0] = 0x38;
  PackedMatrix b = a;
  a.tensor_scale = 1 + 0x1p-12F;
  b.tensor_scale = 1 + 0x1p-12F;
  // Alpha is 1 + 2^-11 + 2^-24 rounded to 1 + 2^-11; unrounded it would give 0x40101201.
  EXPECT_EQ(dot(a, b, Accumulation::kFp32Rne, 0), 0x40101200U);
  // C is scaled too: it is what the accumulator starts from.
  EXPECT_EQ(dot(a, b, Accumulation::kFp32Rne, 0xC0100000), 0U);
  EXPECT_EQ(dot(a, b, Accumulation::kFp32Rne, 0x40100000), 0x40901200U);
  // 2^100 * 2^100 is infinity before it meets the sum, 2^-100 * 2^-100 is zero.
  a.tensor_scale = b.tensor_scale = 0x1p100F;
  EXPECT_EQ(dot(a, b, Accumulation::kFp32Rne, 0), kInfinity);
  EXPECT_EQ(dot(a, b, Accumulation::kFp32Rne, 0xC0100000), kNan);
  a.tensor_scale = b.tensor_scale = 0x1p-100F;
  EXPECT_EQ(dot(a, b, Accumulation::kFp32Rne, 0xC0900000), kMinusZero);
  a.tensor_scale = 3.0F;
  b.tensor_scale = bits_float(kNan);
  EXPECT_EQ(dot(a, b, Accumulation::kFp32Rne, 0), kNan);
}

TEST(ReferenceGemm, OutputIsRowMajor) {
  PackedMatrix a = make_packed_matrix(kMxfp4, 2, 32);
  PackedMatrix b = make_packed_matrix(kMxfp4, 3, 32);
  a.scales = {127, 128};
  b.scales = {127, 129, 131};
  for (int64_t row = 0; row < 3; ++row) {
    set_packed_code(b.row_codes(row), 0, 2);
    if (row < 2) {
      set_packed_code(a.row_codes(row), 0, 2);
    }
  }
  EXPECT_THAT(gemm(a, b, Accumulation::kFp32Rne, {}),
              ElementsAre(0x3F800000, 0x40800000, 0x41800000, 0x40000000, 0x41000000, 0x42000000));
}

TEST(ReferenceGemm, ThreadsDoNotChangeBits) {
  std::mt19937 random(5);
  const auto scale = [&] { return 120 + static_cast<uint32_t>(random() % 12); };
  const PackedMatrix a = random_packed(kMxfp4, 37, 200, random, scale);
  const PackedMatrix b = random_packed(kMxfp4, 29, 200, random, scale);
  const Bits c = random_starts(static_cast<size_t>(37 * 29), random);
  for (const Accumulation policy : kPolicies) {
    const Bits expected = gemm(a, b, policy, c, 1);
    for (const int threads : {0, 2, 3, 8}) {
      EXPECT_EQ(gemm(a, b, policy, c, threads), expected) << threads;
    }
  }
}

TEST(ReferenceGemm, OperandsMustMatch) {
  const auto operand = [](const char* format, int block, const char* scale, int64_t k) {
    return make_packed_matrix(make_block_format(format, block, scale), 1, k);
  };
  const PackedMatrix a = operand("mxfp4", 32, "ue8m0", 64);
  for (const PackedMatrix& b :
       {operand("mxfp4", 32, "ue8m0", 65), operand("mxfp4", 16, "ue8m0", 64),
        operand("mxfp4", 32, "ue4m3", 64), operand("hif4", 64, "hif4", 64)}) {
    EXPECT_THROW(gemm(a, b, Accumulation::kFp32Rne, {}), InputError);
    EXPECT_THROW(gemm(b, a, Accumulation::kFp32Rne, {}), InputError);
  }
}

}  // namespace
}  // namespace nibblecore
