// SPDX-License-Identifier: Apache-2.0
// The golden GEMM with random corrections, against their words.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "model/reference/gemm.hpp"
#include "tests/support/random_corrected_gemm.hpp"
#include "tests/unit/reference/corrected_definition.hpp"

namespace nibblecore {
namespace {

using test::Magnitudes;

constexpr std::array<Magnitudes, 4> kMagnitudes{Magnitudes::kOrdinary, Magnitudes::kAnywhere,
                                                Magnitudes::kNearLimit, Magnitudes::kNearZero};

const std::vector<BlockFormat>& formats() {
  static const std::vector<BlockFormat> list{kMxfp4,
                                             kMxfp4,
                                             kHif4,
                                             make_block_format("mxfp4", 16, "ue8m0"),
                                             make_block_format("mxfp4", 64, "ue8m0"),
                                             kNvfp4};
  return list;
}

void expect_definition(Accumulation policy, const std::vector<int64_t>& macro_lengths,
                       uint32_t seed) {
  constexpr int64_t kDepths[] = {1, 33, 97, 130, 200, 323};
  std::mt19937 random(seed);
  for (int i = 0; i < 300; ++i) {
    const BlockFormat& format = formats()[random() % formats().size()];
    const int64_t k = kDepths[random() % std::size(kDepths)];
    const Magnitudes magnitudes = kMagnitudes[random() % kMagnitudes.size()];
    test::RandomCorrectedGemm gemm(test::random_operand(format, 2, k, magnitudes, random),
                                   test::random_operand(format, 2, k, magnitudes, random),
                                   magnitudes, macro_lengths, random);
    if (random() % 8 == 0) {
      gemm.b.row_scales(1)[random() % gemm.b.blocks() * format.scale_bytes()] = 0xFF;
    }
    std::vector<uint32_t> d(gemm.c.size());
    reference_gemm(gemm.a, gemm.b, policy, gemm.c.data(), d.data(), 1, gemm.corrections);
    ASSERT_EQ(d, corrected_gemm_by_definition(gemm.a, gemm.b, policy, gemm.c, gemm.corrections))
        << gemm.text();
  }
}

TEST(ReferenceCorrections, Fp32RneFollowsTheirWords) {
  expect_definition(Accumulation::kFp32Rne, {0, 32, 64, 96, 128, 256}, 1);
}

TEST(ReferenceCorrections, Fp32FusedFollowsTheirWords) {
  expect_definition(Accumulation::kFp32Fused, {0, 64, 128, 192, 256, 384}, 2);
}

TEST(ReferenceCorrections, ExactFollowsTheirWords) {
  expect_definition(Accumulation::kExact, {0, 32, 64, 96, 128, 256}, 3);
}

TEST(ReferenceCorrections, ThreadsDoNotChangeBits) {
  std::mt19937 random(4);
  const auto operand = [&](int64_t rows) {
    return test::random_operand(kMxfp4, rows, 300, Magnitudes::kOrdinary, random);
  };
  const test::RandomCorrectedGemm gemm(operand(21), operand(9), Magnitudes::kOrdinary, {64},
                                       random);
  std::vector<uint32_t> expected(gemm.c.size());
  reference_gemm(gemm.a, gemm.b, Accumulation::kFp32Rne, gemm.c.data(), expected.data(), 1,
                 gemm.corrections);
  for (const int threads : {0, 2, 5}) {
    std::vector<uint32_t> d(gemm.c.size());
    reference_gemm(gemm.a, gemm.b, Accumulation::kFp32Rne, gemm.c.data(), d.data(), threads,
                   gemm.corrections);
    EXPECT_EQ(d, expected) << threads;
  }
}

}  // namespace
}  // namespace nibblecore
