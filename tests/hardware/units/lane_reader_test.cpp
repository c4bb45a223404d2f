// SPDX-License-Identifier: Apache-2.0
#include "hw/units/lane_reader.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace nibblecore::hw {
namespace {

using Bytes = std::vector<uint8_t>;

/// A panel of 5 rows and 4 blocks of `format` whose bytes count up.
OperandPanel counted_panel(const BlockFormat& format) {
  OperandPanel panel;
  panel.shape(format, ResidualPattern::kNone, 5, 4);
  std::iota(panel.codes.begin(), panel.codes.end(), uint8_t{0});
  std::iota(panel.scales.begin(), panel.scales.end(), uint8_t{0});
  return panel;
}

TEST(LaneReaderTest, AWindowsCodesGoToTheirLanes) {
  const OperandPanel panel = counted_panel(kNvfp4);  // 8 bytes of codes a block, 32 a row
  Bytes lanes(size_t{3} * 16, 0xEE);
  read_lanes(panel, panel.codes, panel.code_bytes, {2, 3, 1, 2}, 16, lanes);
  for (size_t lane = 0; lane < 3; ++lane) {
    for (size_t i = 0; i < 16; ++i) {
      ASSERT_EQ(lanes[lane * 16 + i], static_cast<uint8_t>((2 + lane) * 32 + 8 + i));
    }
  }
}

TEST(LaneReaderTest, LanesBeyondThePanelAreZero) {
  const OperandPanel panel = counted_panel(kNvfp4);
  Bytes lanes(size_t{3} * 16, 0xEE);
  read_lanes(panel, panel.codes, panel.code_bytes, {4, 1, 0, 2}, 16, lanes);
  EXPECT_EQ(lanes[0], 128);
  EXPECT_EQ(lanes[15], 143);
  EXPECT_EQ(Bytes(lanes.begin() + 16, lanes.end()), Bytes(32, 0));
}

TEST(LaneReaderTest, ScalesStandFromTheirFirstBlockOn) {
  const OperandPanel mxfp4 = counted_panel(kMxfp4);
  Bytes scales(size_t{2} * 8, 0xEE);
  read_scales(mxfp4, mxfp4.scales, {1, 2, 1, 3}, 8, 4, scales);
  EXPECT_EQ(scales, (Bytes{0xEE, 0xEE, 0xEE, 0xEE, 5, 6, 7, 0xEE,  //
                           0xEE, 0xEE, 0xEE, 0xEE, 9, 10, 11, 0xEE}));
  const OperandPanel hif4 = counted_panel(kHif4);  // 4 bytes a block, the first is the scale
  Bytes unit_scales(2, 0xEE);
  read_scales(hif4, hif4.scales, {3, 1, 2, 2}, 2, 0, unit_scales);
  EXPECT_EQ(unit_scales, (Bytes{56, 60}));
}

TEST(LaneReaderTest, MicroExponentsAreTheWordsOtherBytes) {
  const OperandPanel panel = counted_panel(kHif4);
  Bytes level2(6, 0xEE);
  std::vector<uint16_t> level3(6, 0xEEEE);
  read_micro_exponents(panel, panel.scales, {4, 1, 1, 2}, 2, level2, level3);
  // Row 4, blocks 1 and 2: bytes 68 to 75. Lanes 1 and 2 lie beyond the panel.
  EXPECT_EQ(level2, (Bytes{69, 73, 0, 0, 0, 0}));
  EXPECT_EQ(level3, (std::vector<uint16_t>{71 << 8 | 70, 75 << 8 | 74, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace nibblecore::hw
