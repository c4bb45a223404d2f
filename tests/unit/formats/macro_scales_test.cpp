// SPDX-License-Identifier: Apache-2.0
#include "model/formats/macro_scales.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

using testing::HasSubstr;

void require(const MacroScales& macro, const PackedMatrix& matrix) {
  require_macro_scales_of(macro, matrix, "macro scales of A");
}

/// The message of the refusal, empty where there is none.
std::string refusal(const MacroScales& macro, const PackedMatrix& matrix) {
  try {
    require(macro, matrix);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::vector<float> ones(size_t count) { return std::vector<float>(count, 1.0F); }

TEST(MacroScales, FactorsOfARowFollowThoseOfTheRowBefore) {
  const MacroScales macro{128, {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(*macro.row_factors(0, 300), 1.0F);
  EXPECT_EQ(*macro.row_factors(1, 300), 4.0F);
  EXPECT_EQ(*macro.row_factors(1, 256), 3.0F);
}

TEST(MacroScales, LengthIsAPositiveMultipleOfTheBlock) {
  const PackedMatrix mxfp4 = make_packed_matrix(kMxfp4, 2, 96);
  EXPECT_NO_THROW(require({32, ones(6)}, mxfp4));
  EXPECT_NO_THROW(require({64, ones(4)}, mxfp4));
  EXPECT_NO_THROW(require({96, ones(2)}, mxfp4));
  EXPECT_NO_THROW(require({int64_t{1} << 62, ones(2)}, mxfp4));
  for (const int64_t length :
       {int64_t{0}, int64_t{-32}, int64_t{16}, int64_t{33}, int64_t{48},
        std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}) {
    EXPECT_THAT(refusal({length, ones(2)}, mxfp4), HasSubstr("length: " + std::to_string(length)));
  }
  const PackedMatrix hif4 = make_packed_matrix(kHif4, 2, 96);
  EXPECT_NO_THROW(require({64, ones(4)}, hif4));
  EXPECT_THAT(refusal({96, ones(2)}, hif4), HasSubstr("length"));
}

TEST(MacroScales, OneFactorForEveryMacroBlockOfEveryRow) {
  const PackedMatrix matrix = make_packed_matrix(kMxfp4, 3, 257);
  EXPECT_NO_THROW(require({128, ones(9)}, matrix));
  for (const size_t count : {0, 3, 6, 8, 10}) {
    EXPECT_THAT(refusal({128, ones(count)}, matrix),
                HasSubstr("factors: " + std::to_string(count) + " in place of 9"));
  }
  EXPECT_NO_THROW(require({128, {}}, make_packed_matrix(kMxfp4, 3, 0)));
}

TEST(MacroScales, FactorsArePositiveFiniteFp16Numbers) {
  const PackedMatrix matrix = make_packed_matrix(kMxfp4, 1, 64);
  for (const float factor : {0x1p-24F, 0x1.ff8p-15F, 1.0F, 0x1.554p-1F, 65504.0F}) {
    EXPECT_NO_THROW(require({32, {1, factor}}, matrix)) << factor;
  }
  for (const float factor : {0.0F, -0.0F, -1.0F, 0.1F, 0x1.001p0F, 0x1p-25F, 65536.0F, HUGE_VALF,
                             std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_THAT(refusal({32, {1, factor}}, matrix),
                testing::AllOf(HasSubstr("macro scales of A"), HasSubstr("factors[1]: ")))
        << factor;
  }
}

TEST(MacroScales, FormatsWithATensorScaleTakeNone) {
  EXPECT_THAT(refusal({64, ones(1)}, make_packed_matrix(kNvfp4, 1, 64)), HasSubstr("tensor scale"));
  EXPECT_THAT(
      refusal({64, ones(1)}, make_packed_matrix(make_block_format("mxfp4", 32, "ue4m3"), 1, 64)),
      HasSubstr("tensor scale"));
  EXPECT_NO_THROW(
      require({64, ones(1)}, make_packed_matrix(make_block_format("mxfp4", 16, "ue8m0"), 1, 64)));
}

}  // namespace
}  // namespace nibblecore
