// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/operand_strips.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/formats/dequantize.hpp"

namespace nibblecore {
namespace {

PackedMatrix random_matrix(const BlockFormat& format, int64_t rows, int64_t k) {
  std::mt19937 random(7);
  PackedMatrix matrix = make_packed_matrix(format, rows, k);
  for (uint8_t& byte : matrix.codes) {
    byte = static_cast<uint8_t>(random());
  }
  for (uint8_t& byte : matrix.scales) {
    byte = static_cast<uint8_t>(random() % 0x7F);  // no NaN, nothing beyond FP32
  }
  return matrix;
}

TEST(OperandStrips, ElementTimesScaleIsTheDequantizedValue) {
  constexpr int kWidth = 8;
  for (const BlockFormat& format : kBlockFormats) {
    SCOPED_TRACE(std::string(format.name));
    const PackedMatrix matrix = random_matrix(format, 19, 128);
    std::vector<float> values(size_t{19} * 128);
    dequantize(matrix, values.data());
    const OperandStrips strips(matrix, kWidth, 2);
    ASSERT_EQ(strips.strips(), 3);
    for (int64_t row = 0; row < 24; ++row) {
      for (int64_t k = 0; k < 128; ++k) {
        const int64_t block = k / format.block;
        const int64_t strip = row / kWidth;
        const int64_t lane = row % kWidth;
        const int16_t element = strips.elements(strip, block)[k % format.block * kWidth + lane];
        const float scale = strips.scales(strip, block)[lane];
        const float value = row < 19 ? values[static_cast<size_t>(row * 128 + k)] : 0.0F;
        ASSERT_EQ(static_cast<float>(element) * scale, value) << row << ", " << k;
      }
    }
  }
}

TEST(OperandStrips, RangeLeavesOutNanZeroAndRowsPastTheEnd) {
  PackedMatrix matrix = make_packed_matrix(kMxfp4, 3, 64);
  for (int64_t row = 0; row < 3; ++row) {
    matrix.row_scales(row)[0] = static_cast<uint8_t>(row == 1 ? 0xFF : 127 + 2 * row);
    matrix.row_scales(row)[1] = 0xFF;
  }
  const OperandStrips strips(matrix, 4, 1);
  EXPECT_EQ(strips.range(0, 0).smallest, 0.5F);  // half of 1: elements are doubled
  EXPECT_EQ(strips.range(0, 0).largest, 8.0F);
  EXPECT_EQ(strips.range(0, 1).smallest, strips.range(0, 1).largest);
  EXPECT_TRUE(std::isnan(strips.scales(0, 0)[1]));
}

}  // namespace
}  // namespace nibblecore
