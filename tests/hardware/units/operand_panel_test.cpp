// SPDX-License-Identifier: Apache-2.0
#include "hw/units/operand_panel.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

namespace nibblecore::hw {
namespace {

using Bytes = std::vector<uint8_t>;

template <size_t Size>
void count_up(std::array<uint8_t, Size>& bytes, size_t first) {
  for (size_t i = 0; i < Size; ++i) {
    bytes.at(i) = static_cast<uint8_t>(first + i);
  }
}

/// A block whose every byte is its own.
QuantizedBlock counted_block() {
  QuantizedBlock block;
  count_up(block.dense.scale, 1);
  count_up(block.dense.codes, 11);
  count_up(block.residual.scale, 101);
  count_up(block.residual.codes, 111);
  count_up(block.indices, 201);
  return block;
}

Bytes counted(uint8_t first, size_t count) {
  Bytes bytes;
  for (size_t i = 0; i < count; ++i) {
    bytes.push_back(static_cast<uint8_t>(first + i));
  }
  return bytes;
}

/// The bytes of block (1, 2) of a panel of 2 x 3 blocks.
Bytes last_block(const Bytes& from, int64_t block_bytes) {
  return {from.end() - block_bytes, from.end()};
}

TEST(OperandPanelTest, APackedPieceIsAllCodesThenAllScales) {
  OperandPanel panel;
  panel.shape(kMxfp4, ResidualPattern::kNone, 2, 3);
  const Bytes piece = counted(0, size_t{2} * 3 * 17);
  panel.fill_packed(piece.data());
  EXPECT_EQ(panel.codes, counted(0, 96));
  EXPECT_EQ(panel.scales, counted(96, 6));
}

TEST(OperandPanelTest, ABlockGoesToItsPlaceWithWhatTheFormatAndThePatternKeep) {
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    for (const ResidualPattern pattern : {ResidualPattern::kTwoOfFour, ResidualPattern::kDense}) {
      const bool sparse = pattern == ResidualPattern::kTwoOfFour;
      const auto block = static_cast<size_t>(format.block);
      OperandPanel panel;
      panel.shape(format, pattern, 2, 3);
      panel.fill_block(1, 2, counted_block());
      const int64_t scale = format.scale_bytes();
      EXPECT_EQ(panel.codes.size(), 6 * block / 2);
      EXPECT_EQ(last_block(panel.codes, format.block / 2), counted(11, block / 2));
      EXPECT_EQ(last_block(panel.scales, scale), counted(1, static_cast<size_t>(scale)));
      const size_t kept = sparse ? block / 4 : block / 2;
      EXPECT_EQ(panel.residual_codes.size(), 6 * kept);
      EXPECT_EQ(last_block(panel.residual_codes, static_cast<int64_t>(kept)), counted(111, kept));
      EXPECT_EQ(last_block(panel.residual_scales, scale), counted(101, static_cast<size_t>(scale)));
      EXPECT_EQ(panel.indices.size(), sparse ? 6 * block / 8 : 0);
      if (sparse) {
        EXPECT_EQ(last_block(panel.indices, format.block / 8), counted(201, block / 8));
      }
      EXPECT_EQ(std::count(panel.codes.begin(), panel.codes.end() - format.block / 2, 0),
                5 * format.block / 2)
          << "no other block was touched";
    }
  }
}

TEST(OperandPanelTest, WithoutAResidualNothingIsKeptOfIt) {
  OperandPanel panel;
  panel.shape(kHif4, ResidualPattern::kTwoOfFour, 4, 4);
  panel.shape(kHif4, ResidualPattern::kNone, 2, 3);
  panel.fill_block(0, 1, counted_block());
  EXPECT_TRUE(panel.residual_codes.empty());
  EXPECT_TRUE(panel.residual_scales.empty());
  EXPECT_TRUE(panel.indices.empty());
  EXPECT_EQ(Bytes(panel.scales.begin() + 4, panel.scales.begin() + 8), counted(1, 4));
}

}  // namespace
}  // namespace nibblecore::hw
