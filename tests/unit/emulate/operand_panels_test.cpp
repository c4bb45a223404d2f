// SPDX-License-Identifier: Apache-2.0
// Both operands as kernels read them: LeftPanels and RightStrips.
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/emulate/left_panels.hpp"
#include "model/emulate/right_strips.hpp"
#include "model/emulate/tile_kernels.hpp"
#include "model/formats/dequantize.hpp"
#include "tests/unit/emulate/on_every_target.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kRows = 70;  // neither a multiple of a panel nor of a strip
constexpr int64_t kK = 128;

PackedMatrix random_matrix(const BlockFormat& format) {
  std::mt19937 random(7);
  PackedMatrix matrix = make_packed_matrix(format, kRows, kK);
  for (uint8_t& byte : matrix.codes) {
    byte = static_cast<uint8_t>(random());
  }
  for (uint8_t& byte : matrix.scales) {
    byte = static_cast<uint8_t>(random() % 0x7F);  // no NaN, nothing beyond FP32
  }
  return matrix;
}

std::vector<float> values_of(const PackedMatrix& matrix, int64_t padded_rows) {
  std::vector<float> values(static_cast<size_t>(padded_rows * kK));
  dequantize(matrix, values.data());
  return values;
}

TEST(LeftPanels, ElementTimesScaleIsTheDequantizedValue) {
  for (const EmulatorTarget target : test::available_targets()) {
    for (const BlockFormat& format : kBlockFormats) {
      SCOPED_TRACE(std::string(format.name) + " for " + std::string(name_of(target)));
      const PackedMatrix matrix = random_matrix(format);
      const LeftPanels panels(matrix, target, 2);
      ASSERT_EQ(panels.panels(), 2);
      const std::vector<float> values = values_of(matrix, 2 * kPanelRows);
      const bool is_biased = tile_kernels(target, format.block).a_form == ElementForm::kBiased;
      const int bias = is_biased ? largest_element(format.element) : 0;
      for (int64_t row = 0; row < 2 * kPanelRows; ++row) {
        for (int64_t k = 0; k < kK; ++k) {
          const int64_t block = k / format.block;
          const int64_t lane = row % kPanelRows;
          const uint8_t byte =
              panels.elements(row / kPanelRows, block)[lane * format.block + k % format.block];
          const int element = is_biased ? byte - bias : static_cast<int8_t>(byte);
          const float scale = panels.scales(row / kPanelRows, block)[lane];
          ASSERT_EQ(static_cast<float>(element) * scale, values[static_cast<size_t>(row * kK + k)])
              << row << ", " << k;
        }
      }
    }
  }
}

TEST(RightStrips, ElementTimesScaleIsTheDequantizedValue) {
  for (const EmulatorTarget target : test::available_targets()) {
    for (const BlockFormat& format : kBlockFormats) {
      SCOPED_TRACE(std::string(format.name) + " for " + std::string(name_of(target)));
      const PackedMatrix matrix = random_matrix(format);
      const RightStrips strips(matrix, target, 2);
      ASSERT_EQ(strips.strips(), 3);
      const std::vector<float> values = values_of(matrix, 3 * kStripColumns);
      for (int64_t column = 0; column < 3 * kStripColumns; ++column) {
        for (int64_t k = 0; k < kK; ++k) {
          const int64_t block = k / format.block;
          const int64_t lane = column % kStripColumns;
          const int64_t at = k % format.block / 4 * 4 * kStripColumns + lane * 4 + k % 4;
          const int8_t element = strips.elements(column / kStripColumns, block)[at];
          const float scale = strips.scales(column / kStripColumns, block)[lane];
          ASSERT_EQ(static_cast<float>(element) * scale,
                    values[static_cast<size_t>(column * kK + k)])
              << column << ", " << k;
        }
      }
    }
  }
}

TEST(RightStrips, StartTakesBackWhatTheBiasOfAAdds) {
  for (const EmulatorTarget target : test::available_targets()) {
    const PackedMatrix matrix = random_matrix(kMxfp4);
    const RightStrips strips(matrix, target, 1);
    const bool is_biased = tile_kernels(target, kMxfp4.block).a_form == ElementForm::kBiased;
    int sum = 0;
    for (int k = 0; k < kMxfp4.block; ++k) {
      sum += strips.elements(1, 2)[k / 4 * 4 * kStripColumns + 5 * 4 + k % 4];
    }
    ASSERT_NE(sum, 0);
    EXPECT_EQ(strips.starts(1, 2)[5], is_biased ? -12 * sum : 0) << name_of(target);
  }
}

TEST(OperandPanels, RangeLeavesOutNanZeroAndRowsPastTheEnd) {
  PackedMatrix matrix = make_packed_matrix(kMxfp4, 3, 64);
  for (int64_t row = 0; row < 3; ++row) {
    matrix.row_scales(row)[0] = static_cast<uint8_t>(row == 1 ? 0xFF : 127 + 2 * row);
    matrix.row_scales(row)[1] = 0xFF;
  }
  const auto expect_ranges = [](const auto& operand) {
    EXPECT_EQ(operand.range(0, 0).smallest, 0.5F);  // half of 1: elements are doubled
    EXPECT_EQ(operand.range(0, 0).largest, 8.0F);
    EXPECT_TRUE(operand.range(0, 1).is_empty);
    EXPECT_EQ(operand.range().smallest, 0.5F);
    EXPECT_EQ(operand.range().largest, 8.0F);
    EXPECT_TRUE(std::isnan(operand.scales(0, 0)[1]));
  };
  expect_ranges(LeftPanels(matrix, EmulatorTarget::kPortable, 1));
  expect_ranges(RightStrips(matrix, EmulatorTarget::kPortable, 1));
}

TEST(ScaleRange, FitsFp32UntilAProductWouldLeaveIt) {
  const auto fits = [](float smallest, float largest) {
    return fits_fp32({smallest, largest, false}, {1.0F, 1.0F, false});
  };
  EXPECT_TRUE(fits(0x1p-149F, 0x1p112F));
  EXPECT_FALSE(fits(0x1p-149F, 0x1p113F));
  const ScaleRange tiny{0x1p-75F, 1.0F, false};
  EXPECT_TRUE(fits_fp32(tiny, {0x1p-74F, 1.0F, false}));
  EXPECT_FALSE(fits_fp32(tiny, tiny));
}

}  // namespace
}  // namespace nibblecore
