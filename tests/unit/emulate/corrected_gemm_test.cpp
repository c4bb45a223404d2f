// SPDX-License-Identifier: Apache-2.0
// The emulator with random corrections, against the golden reference: most of a million outputs.
#include <array>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/emulate/gemm.hpp"
#include "model/reference/gemm.hpp"
#include "tests/support/random_corrected_gemm.hpp"
#include "tests/unit/emulate/on_every_target.hpp"

namespace nibblecore {
namespace {

using Bits = std::vector<uint32_t>;
using test::Magnitudes;
using test::RandomCorrectedGemm;

constexpr uint32_t kMinusZero = 0x80000000;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr uint32_t kNan = 0x7FC00000;

Bits emulate(const RandomCorrectedGemm& gemm, int threads = 1) {
  return test::emulate_on_every_target(gemm.a, gemm.b, Accumulation::kFp32Rne, gemm.c, threads,
                                       gemm.corrections);
}

Bits golden(const RandomCorrectedGemm& gemm) {
  Bits d(gemm.c.size());
  reference_gemm(gemm.a, gemm.b, Accumulation::kFp32Rne, gemm.c.data(), d.data(), 1,
                 gemm.corrections);
  return d;
}

/// Outputs compared, and how many of them are special.
struct Census {
  int64_t outputs = 0;
  int64_t minus_zeros = 0;
  int64_t infinities = 0;
  int64_t nans = 0;
  int64_t subnormals = 0;

  void count(const Bits& d) {
    for (const uint32_t bits : d) {
      const uint32_t magnitude = bits & 0x7FFFFFFF;
      ++outputs;
      minus_zeros += bits == kMinusZero ? 1 : 0;
      infinities += magnitude == kInfinity ? 1 : 0;
      nans += bits == kNan ? 1 : 0;
      subnormals += magnitude != 0 && magnitude < 0x00800000 ? 1 : 0;
    }
  }
};

struct Shape {
  int64_t m;
  int64_t n;
  int64_t k;
};
constexpr Shape kShapes[] = {{1, 1, 1},     {17, 33, 64},  {5, 65, 97},
                             {33, 40, 200}, {16, 70, 323}, {40, 96, 130}};

Census compare(const BlockFormat& format, Magnitudes magnitudes, int draws, uint32_t seed) {
  std::mt19937 random(seed);
  Census census;
  for (int i = 0; i < draws; ++i) {
    const Shape& shape = kShapes[static_cast<size_t>(i) % std::size(kShapes)];
    RandomCorrectedGemm gemm(test::random_operand(format, shape.m, shape.k, magnitudes, random),
                             test::random_operand(format, shape.n, shape.k, magnitudes, random),
                             magnitudes, {0, 32, 64, 96, 128, 256}, random);
    if (random() % 4 == 0) {
      const auto row = static_cast<int64_t>(random() % static_cast<uint32_t>(shape.n));
      gemm.b.row_scales(row)[gemm.b.scale_stride() - format.scale_bytes()] = 0xFF;
    }
    const Bits d = emulate(gemm);
    EXPECT_EQ(d, golden(gemm)) << gemm.text();
    census.count(d);
  }
  return census;
}

std::vector<BlockFormat> formats() {
  return {kMxfp4,
          kHif4,
          kNvfp4,
          make_block_format("mxfp4", 16, "ue8m0"),
          make_block_format("mxfp4", 64, "ue8m0"),
          make_block_format("mxfp4", 32, "ue4m3")};
}

TEST(EmulateCorrections, EqualTheReference) {
  Census all;
  for (const BlockFormat& format : formats()) {
    all.outputs += compare(format, Magnitudes::kOrdinary, 72, 1).outputs;
  }
  EXPECT_GT(all.outputs, 500'000);
}

TEST(EmulateCorrections, EqualTheReferenceAnywhere) {
  for (const BlockFormat& format : formats()) {
    compare(format, Magnitudes::kAnywhere, 18, 2);
  }
}

TEST(EmulateCorrections, EqualTheReferenceWhereSumsOverflow) {
  const Census census = compare(kMxfp4, Magnitudes::kNearLimit, 72, 3);
  EXPECT_GT(census.infinities, census.outputs / 20);
  EXPECT_GT(census.nans, census.outputs / 20);
}

TEST(EmulateCorrections, EqualTheReferenceWhereSumsUnderflow) {
  const Census census = compare(kMxfp4, Magnitudes::kNearZero, 72, 4);
  EXPECT_GT(census.subnormals, census.outputs / 20);
  EXPECT_GT(census.minus_zeros, census.outputs / 200);
}

TEST(EmulateCorrections, BitsDoNotDependOnThreadsAndCMayBeD) {
  std::mt19937 random(5);
  const auto operand = [&](int64_t rows) {
    return test::random_operand(kMxfp4, rows, 257, Magnitudes::kAnywhere, random);
  };
  const RandomCorrectedGemm gemm(operand(50), operand(70), Magnitudes::kAnywhere, {64}, random);
  const Bits one = emulate(gemm);
  for (const int threads : {0, 2, 3, 8}) {
    EXPECT_EQ(emulate(gemm, threads), one) << threads << " threads";
  }
  Bits in_place = gemm.c;
  emulate_gemm(gemm.a, gemm.b, Accumulation::kFp32Rne, in_place.data(), in_place.data(), 2,
               gemm.corrections);
  EXPECT_EQ(in_place, one);
}

TEST(EmulateCorrections, WithoutKReturnsC) {
  const PackedMatrix empty = make_packed_matrix(kMxfp4, 1, 0);
  const ResidualOperand operand{empty, 0};
  const MacroScales none{128, {}};
  const GemmCorrections corrections{&operand, 0.5F, &none, &none, MacroEpilogue::kFused};
  for (const uint32_t c : {kMinusZero, kInfinity, 1U}) {
    uint32_t d = 0;
    emulate_gemm(empty, empty, Accumulation::kFp32Rne, &c, &d, 1, corrections);
    EXPECT_EQ(d, c);
  }
}

TEST(EmulateCorrections, RefusesWhatDoesNotGoWithTheOperands) {
  const PackedMatrix a = make_packed_matrix(kMxfp4, 1, 256);
  const MacroScales macro{128, {1.0F}};
  GemmCorrections corrections;
  corrections.b_macro = &macro;
  uint32_t d = 0;
  EXPECT_THROW(emulate_gemm(a, a, Accumulation::kFp32Rne, nullptr, &d, 1, corrections), InputError);
}

}  // namespace
}  // namespace nibblecore
