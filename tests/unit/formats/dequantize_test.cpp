// SPDX-License-Identifier: Apache-2.0
#include "model/formats/dequantize.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;

std::vector<float> dequantized(const PackedMatrix& matrix) {
  std::vector<float> values(static_cast<size_t>(matrix.rows * matrix.k), -99.0F);
  dequantize(matrix, values.data());
  return values;
}

TEST(Dequantize, EveryRowAndBlockHasItsScaleAndTailsAreCut) {
  PackedMatrix matrix = make_packed_matrix(kNvfp4, 2, 18);
  for (int64_t row = 0; row < 2; ++row) {
    for (const int64_t i : {0, 15, 16, 17}) {
      set_packed_code(matrix.row_codes(row), i, static_cast<uint8_t>(row == 0 ? 2 : 9));
    }
    matrix.row_scales(row)[0] = 0x38;
    matrix.row_scales(row)[1] = 0x40;
  }
  const std::vector<float> values = dequantized(matrix);
  EXPECT_EQ(values[0], 1.0F);
  EXPECT_EQ(values[1], 0.0F);
  EXPECT_EQ(values[15], 1.0F);
  EXPECT_EQ(values[16], 2.0F);
  EXPECT_EQ(values[17], 2.0F);
  EXPECT_EQ(values[18], -0.5F);
  EXPECT_EQ(values[35], -1.0F);
}

TEST(Dequantize, Hif4TailUsesTheMicroExponentsOfItsUnit) {
  PackedMatrix matrix = make_packed_matrix(kHif4, 1, 66);
  matrix.scales = {0xC0, 0x00, 0x00, 0x00, 0xC4, 0x01, 0x01, 0x00};
  set_packed_code(matrix.row_codes(0), 63, 0x7);
  set_packed_code(matrix.row_codes(0), 64, 0x7);
  set_packed_code(matrix.row_codes(0), 65, 0xC);
  const std::vector<float> values = dequantized(matrix);
  EXPECT_EQ(values[63], 1.75F);
  EXPECT_EQ(values[64], 14.0F);
  EXPECT_EQ(values[65], -8.0F);
}

TEST(Dequantize, TensorScaleIsOneRoundedProduct) {
  PackedMatrix matrix = make_packed_matrix(kNvfp4, 1, 1);
  matrix.codes[0] = 0x3;
  matrix.scales[0] = 0x3D;  // 1.625
  matrix.tensor_scale = 0.1F;
  EXPECT_THAT(dequantized(matrix), ElementsAre(2.4375F * 0.1F));
}

TEST(Dequantize, MacroFactorsAreOneRoundedProductEach) {
  PackedMatrix matrix = make_packed_matrix(kMxfp4, 2, 65);
  for (int64_t row = 0; row < 2; ++row) {
    for (const int64_t i : {0, 31, 32, 63, 64}) {
      set_packed_code(matrix.row_codes(row), i, 5);
    }
    std::fill_n(matrix.row_scales(row), 3, row == 0 ? 127 : 0);  // 3 and 3 * 2^-127
  }
  const MacroScales macro{32, {0.5F, 2.0F, 0x1.554p-1F, 0x1p-24F, 0x1.1p-20F, 1.0F}};
  std::vector<float> values(130);
  dequantize(matrix, values.data(), &macro);
  for (const size_t i : {0, 31}) {
    EXPECT_EQ(values[i], 1.5F);
    EXPECT_EQ(values[65 + i], 0x1p-149F);  // 3 * 2^-151, 0.75 steps
  }
  for (const size_t i : {32, 63}) {
    EXPECT_EQ(values[i], 6.0F);
    EXPECT_EQ(values[65 + i], 0x1.ap-146F);  // 3 * 2^-147 + 3 * 2^-151, 12.75 steps
  }
  EXPECT_EQ(values[64], 0x1.ffep0F);
  EXPECT_EQ(values[129], 0x1.8p-126F);
  EXPECT_EQ(values[1], 0.0F);
}

TEST(Dequantize, RefusesMacroScalesOfAnotherMatrix) {
  const PackedMatrix matrix = make_packed_matrix(kMxfp4, 2, 65);
  const MacroScales macro{32, std::vector<float>(5, 1.0F)};
  std::vector<float> values(130);
  EXPECT_THROW(dequantize(matrix, values.data(), &macro), InputError);
}

TEST(Dequantize, NanScaleCoversItsBlockAlone) {
  PackedMatrix matrix = make_packed_matrix(kMxfp4, 1, 64);
  matrix.scales[1] = 0xFF;
  const std::vector<float> values = dequantized(matrix);
  for (size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(float_bits(values[i]), i < 32 ? 0U : 0x7FC00000U) << i;
  }
}

TEST(Dequantize, Mxfp4KeepsSubnormalsAndOverflowsToInfinity) {
  PackedMatrix matrix = make_packed_matrix(kMxfp4, 3, 2);
  const uint8_t scales[] = {0, 253, 254};
  for (int64_t row = 0; row < 3; ++row) {
    matrix.row_codes(row)[0] = 0xE3;  // 1.5, -4
    matrix.row_scales(row)[0] = scales[row];
  }
  EXPECT_THAT(dequantized(matrix),
              ElementsAre(0x1.8p-127F, -0x1p-125F, 0x1.8p126F, -HUGE_VALF, 0x1.8p127F, -HUGE_VALF));
}

TEST(Dequantize, OneRowIsARowOfTheMatrix) {
  PackedMatrix matrix = make_packed_matrix(kMxfp4, 2, 3);
  matrix.codes = std::vector<uint8_t>(32);
  matrix.row_codes(1)[0] = 0x42;
  matrix.row_codes(1)[1] = 0x0F;
  matrix.scales = {127, 128};
  std::vector<float> row(4, -99.0F);
  dequantize_row(matrix, 1, row.data());
  EXPECT_THAT(row, ElementsAre(2.0F, 4.0F, -12.0F, -99.0F));
}

}  // namespace
}  // namespace nibblecore
