// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/bf16_stretch.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/emulate/policy_gemms.hpp"

namespace nibblecore::test {
namespace {

using Kind = GemmStep::Kind;

class Bf16StretchOfSteps : public testing::Test {
 protected:
  size_t end_of(const std::vector<GemmStep>& steps, size_t first) const {
    return Bf16Stretch({&a, &a, &a}).end_of_stretch(steps, first);
  }

  PackedMatrix a = make_packed_matrix(kMxfp4, 1, 1024);
};

TEST_F(Bf16StretchOfSteps, TakesStepsTogetherUntilTheirElementsAreTooMany) {
  const auto result = TilePlane::kResult;
  const std::vector<GemmStep> steps{
      {Kind::kAddA, result, result, 0, 2}, {Kind::kAddResidual, result, result, 0, 2},
      {Kind::kAddA, result, result, 2, 4}, {Kind::kAddResidual, result, result, 2, 4},
      {Kind::kAddA, result, result, 4, 5}, {Kind::kAddA, result, result, 5, 13}};
  EXPECT_EQ(end_of(steps, 0), 4U);  // 256 elements
  EXPECT_EQ(end_of(steps, 1), 5U);
  EXPECT_EQ(end_of(steps, 4), 5U);
  EXPECT_EQ(end_of(steps, 5), 6U);
}

TEST_F(Bf16StretchOfSteps, EndsWhereAccumulatorsOrKindsChange) {
  const auto result = TilePlane::kResult;
  const auto macro = TilePlane::kMacroSum;
  const std::vector<GemmStep> steps{{Kind::kAddA, macro, macro, 0, 1},
                                    {Kind::kAddA, result, result, 1, 2},
                                    {Kind::kTakeIn, macro, result, 0, 1},
                                    {Kind::kAddA, result, result, 2, 3}};
  EXPECT_EQ(end_of(steps, 0), 1U);
  EXPECT_EQ(end_of(steps, 1), 2U);
  EXPECT_EQ(end_of(steps, 2), 2U);
  EXPECT_EQ(end_of(steps, 3), 4U);
}

/// A matrix of random elements whose E8M0 codes begin with `code` and rise by up to two.
PackedMatrix matrix_about(int block, int64_t rows, int64_t k, int code, std::mt19937& random) {
  const ScaleLaw law = [&random, code](int64_t) {
    return static_cast<uint32_t>(code) + static_cast<uint32_t>(random() % 3);
  };
  return mixed_matrix(make_block_format("mxfp4", block, "ue8m0"), rows, k, random, law);
}

// Both sides of every end of BF16 and of FP32's normal numbers; the reference knows of neither.
TEST(Bf16Gemm, EqualsTheReferenceOnBothSidesOfWhatFits) {
  std::mt19937 random(5);
  struct Codes {
    int a;
    int b;
  };
  const std::vector<Codes> all{{0, 127},   {1, 127},   {2, 127},   {250, 60},  {251, 60}, {252, 60},
                               {60, 66},   {62, 66},   {63, 66},   {64, 66},   {65, 66},  {68, 70},
                               {180, 184}, {182, 184}, {183, 184}, {184, 184}, {186, 186}};
  bool fits_once = false;
  bool fails_once = false;
  for (const int block : {16, 32}) {
    for (const auto& [code_a, code_b] : all) {
      SCOPED_TRACE(testing::Message()
                   << "blocks of " << block << ", codes from " << code_a << " and " << code_b);
      const PackedMatrix a = matrix_about(block, 19, 176, code_a, random);
      const PackedMatrix b = matrix_about(block, 37, 176, code_b, random);
      const bool fits = fit_bf16({&a, &b, nullptr});
      fits_once = fits_once || fits;
      fails_once = fails_once || !fits;
      expect_reference(a, b, Accumulation::kFp32Rne, {});
      expect_reference(a, b, Accumulation::kFp32Rne, mixed_starts(19, 37, random));
    }
  }
  EXPECT_TRUE(fits_once);
  EXPECT_TRUE(fails_once);
}

TEST(Bf16Gemm, ZeroBlocksOfAnyScaleFit) {
  std::mt19937 random(6);
  PackedMatrix a = matrix_about(32, 20, 320, 120, random);
  PackedMatrix b = matrix_about(32, 40, 320, 120, random);
  for (PackedMatrix* matrix : {&a, &b}) {
    for (int64_t row = 0; row < matrix->rows; row += 3) {
      std::fill_n(matrix->row_codes(row) + 48, 16, uint8_t{0x80});
      matrix->row_scales(row)[3] = row % 2 == 0 ? 0 : 254;
    }
  }
  EXPECT_TRUE((fit_bf16({&a, &b, nullptr})));
  expect_reference(a, b, Accumulation::kFp32Rne, {});
  a.row_scales(1)[5] = 0xFF;  // NaN
  b.row_scales(39)[9] = 0xFF;
  EXPECT_TRUE((fit_bf16({&a, &b, nullptr})));
  expect_reference(a, b, Accumulation::kFp32Rne, mixed_starts(20, 40, random));
}

// Regions of several shapes one after the other, on one thread and on three.
TEST(Bf16Gemm, EqualsTheReferenceOverSeveralRegionsAndStretches) {
  std::mt19937 random(7);
  for (const BlockFormat& format : {kMxfp4, kNvfp4}) {
    SCOPED_TRACE(describe(format));
    const uint32_t center = format.scale == ScaleKind::kE8m0 ? 122 : 0x30;
    const ScaleLaw law = [&](int64_t) { return center + static_cast<uint32_t>(random() % 8); };
    const PackedMatrix a = mixed_matrix(format, 330, 592, random, law);
    const PackedMatrix b = mixed_matrix(format, 581, 592, random, law);
    EXPECT_TRUE((fit_bf16({&a, &b, nullptr})));
    expect_reference(a, b, Accumulation::kFp32Rne, {});
  }
}

}  // namespace
}  // namespace nibblecore::test
