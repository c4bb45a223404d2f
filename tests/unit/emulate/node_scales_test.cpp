// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/node_scales.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace nibblecore {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(NodeScales, ExponentsOfScalesAreThoseOfTheirNormalNumbers) {
  // Scales are kept in halves of elements, HiF4's in quarters.
  EXPECT_EQ(scale_exponent(0.5F, ScaleKind::kE8m0), 0);
  EXPECT_EQ(scale_exponent(0x1p-128F, ScaleKind::kE8m0), -127);
  EXPECT_EQ(scale_exponent(0x1p126F, ScaleKind::kE8m0), 127);
  EXPECT_EQ(scale_exponent(0.5F * 1.875F, ScaleKind::kUe4m3), 0);
  EXPECT_EQ(scale_exponent(0.5F * 0x1p-6F, ScaleKind::kUe4m3), -6);
  EXPECT_EQ(scale_exponent(0.5F * 0x1p-9F, ScaleKind::kUe4m3), -6);
  EXPECT_EQ(scale_exponent(0.25F * 1.75F, ScaleKind::kHif4), 0);
}

/// Two blocks of 16 for three rows; every element of A and B is 1 until changed.
class TwoBlocks : public testing::Test {
 protected:
  static constexpr int kLength = 16;

  TwoBlocks() {
    a.fill(1);
    b.fill(1);
    a_scales.fill(0.5F);
    b_scales.fill(0.5F);
  }

  NodeScales from_every_scale(uint8_t a_zero = 0) const {
    const TileBlocks blocks{a.data(), a_scales.data(), b.data(), b_scales.data(), nullptr,
                            2,        kLength,         3,        nullptr,         0};
    return node_scales(blocks, ScaleKind::kE8m0, a_zero);
  }
  float& a_scale(int64_t block, int64_t row) {
    return a_scales.at(static_cast<size_t>(block * kPanelRows + row));
  }
  float& b_scale(int64_t block, int64_t column) {
    return b_scales.at(static_cast<size_t>(block * kStripColumns + column));
  }

  std::array<uint8_t, size_t{2} * kPanelRows * kLength> a{};
  std::array<int8_t, size_t{2} * kStripColumns * kLength> b{};
  std::array<float, size_t{2} * kPanelRows> a_scales{};
  std::array<float, size_t{2} * kStripColumns> b_scales{};
};

void expect(const NodeScales& scales, int lowest, int highest, int spread) {
  EXPECT_EQ(scales.lowest, lowest);
  EXPECT_EQ(scales.highest, highest);
  EXPECT_EQ(scales.spread, spread);
}

TEST_F(TwoBlocks, SpreadIsThatOfOneOutput) {
  a_scale(0, 0) = 0x1p9F;  // a row apart in both blocks
  a_scale(1, 0) = 0x1p7F;
  b_scale(1, 31) = 0x1p-5F;
  expect(from_every_scale(), 0 - 4, 10, 2 + 4);
}

TEST_F(TwoBlocks, RowsThatAreNotThereDoNotCount) {
  a_scale(0, 3) = 0x1p9F;
  expect(from_every_scale(), 0, 0, 0);
}

TEST_F(TwoBlocks, ZerosAndNaNsDoNotCount) {
  a_scale(0, 1) = 0.0F;
  b_scale(1, 2) = kNan;
  expect(from_every_scale(), 0, 0, 0);
}

TEST_F(TwoBlocks, ZeroBlocksCountAsHighestAlone) {
  for (size_t i = 0; i < size_t{kLength}; ++i) {
    a[size_t{2} * kLength + i] = 12;                           // block 0, row 2
    b[i / 4 * kStripColumns * 4 + size_t{7} * 4 + i % 4] = 0;  // block 0, column 7
  }
  a_scale(0, 2) = 0x1p-20F;
  b_scale(0, 7) = 0x1p-30F;
  expect(from_every_scale(12), 0, 0, 0);
  expect(from_every_scale(0), -19, 0, 19);
  b_scale(0, 7) = 0x1p29F;
  expect(from_every_scale(12), 0, 30, 30);
}

TEST(NodeScales, RangesGiveBounds) {
  const auto range = [](float smallest, float largest) {
    ScaleRange result;
    result.include(smallest);
    result.include(largest);
    return result;
  };
  const std::array<ScaleRange, 2> a{range(0.5F, 4.0F), range(2.0F, 64.0F)};
  const std::array<ScaleRange, 2> b{range(0.25F, 0.5F), range(0.5F, 0.5F)};
  expect(node_scales(a.data(), b.data(), 2, ScaleKind::kE8m0), -1, 7, 7 + 1);
  // One block is its own highest and lowest in every output.
  expect(node_scales(a.data(), b.data(), 1, ScaleKind::kE8m0), -1, 3, 0);
  const ScaleRange none;
  expect(node_scales(&none, b.data(), 1, ScaleKind::kE8m0), 0, 0, 0);
}

}  // namespace
}  // namespace nibblecore
