// SPDX-License-Identifier: Apache-2.0
#include "model/layout/block_place.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nibblecore {
namespace {

using testing::ElementsAre;

BlockGrid grid(int64_t rows, int64_t blocks, int64_t code_bytes, int64_t scale_bytes,
               int64_t record = 0) {
  BlockGrid result;
  result.rows = rows;
  result.blocks = blocks;
  result.code_bytes = code_bytes;
  result.scale_bytes = scale_bytes;
  result.record = record;
  return result;
}

TEST(BlockPlace, SwizzleOffsetsByHand) {
  EXPECT_EQ(swizzle_128x4_offset(0, 0, 8), 0);
  EXPECT_EQ(swizzle_128x4_offset(0, 1, 8), 1);
  EXPECT_EQ(swizzle_128x4_offset(1, 0, 8), 16);
  EXPECT_EQ(swizzle_128x4_offset(32, 0, 8), 4);
  EXPECT_EQ(swizzle_128x4_offset(127, 3, 8), 511);
  EXPECT_EQ(swizzle_128x4_offset(0, 4, 8), 512);
  EXPECT_EQ(swizzle_128x4_offset(33, 5, 8), 533);
  EXPECT_EQ(swizzle_128x4_offset(128, 0, 8), 1024);
  EXPECT_EQ(swizzle_128x4_offset(129, 7, 8), 1555);
  // Tiles of a row count whole ones.
  EXPECT_EQ(swizzle_128x4_offset(128, 0, 4), 512);
  EXPECT_EQ(swizzle_128x4_offset(128, 0, 5), 1024);
  EXPECT_EQ(swizzle_128x4_offset(128, 0, 1), 512);
}

TEST(BlockPlace, SwizzleFillsItsTilesOnce) {
  std::set<int64_t> offsets;
  for (int64_t row = 0; row < 256; ++row) {
    for (int64_t column = 0; column < 8; ++column) {
      offsets.insert(swizzle_128x4_offset(row, column, 8));
    }
  }
  EXPECT_EQ(offsets.size(), 2048U);
  EXPECT_EQ(*offsets.begin(), 0);
  EXPECT_EQ(*offsets.rbegin(), 2047);
}

TEST(BlockPlace, SwizzleIsPaddedTo128RowsAnd4Columns) {
  const std::pair<int64_t, int64_t> row_tiles[] = {{1, 1}, {31, 1}, {33, 1}, {127, 1}, {129, 2}};
  const std::pair<int64_t, int64_t> column_tiles[] = {{1, 1}, {3, 1}, {5, 2}, {90, 23}};
  for (const auto& [rows, tile_rows] : row_tiles) {
    for (const auto& [columns, tile_columns] : column_tiles) {
      EXPECT_THAT(scale_shape(ScalePlace::kSwizzle128x4, grid(rows, columns, 16, 1)),
                  ElementsAre(tile_rows, tile_columns, 512))
          << rows << " x " << columns;
    }
  }
}

TEST(BlockPlace, RowsColumnsAndPairs) {
  const BlockGrid three = grid(2, 3, 16, 1);
  EXPECT_THAT(code_shape(CodePlace::kRows, three), ElementsAre(2, 48));
  EXPECT_EQ(code_offset(CodePlace::kRows, three, 1, 2), 80);
  EXPECT_THAT(code_shape(CodePlace::kColumns, three), ElementsAre(3, 2, 16));
  EXPECT_EQ(code_offset(CodePlace::kColumns, three, 1, 0), 16);
  EXPECT_EQ(code_offset(CodePlace::kColumns, three, 0, 2), 64);
  EXPECT_THAT(scale_shape(ScalePlace::kRows, three), ElementsAre(2, 3));
  EXPECT_EQ(scale_offset(ScalePlace::kRows, three, 1, 1, 0), 4);
  EXPECT_THAT(scale_shape(ScalePlace::kPairs, three), ElementsAre(2, 2, 2));
  EXPECT_EQ(scale_offset(ScalePlace::kPairs, three, 1, 0, 0), 4);
  EXPECT_EQ(scale_offset(ScalePlace::kPairs, three, 1, 2, 0), 6);
  EXPECT_EQ(scale_offset(ScalePlace::kRows, grid(2, 3, 32, 4), 1, 1, 2), 18);
}

TEST(BlockPlace, CellsOf16Rows) {
  const BlockGrid units = grid(17, 3, 32, 4);
  EXPECT_THAT(scale_shape(ScalePlace::kCells16, units), ElementsAre(2, 3, 64));
  EXPECT_THAT(scale_shape(ScalePlace::kCells16, grid(16, 3, 32, 4)), ElementsAre(1, 3, 64));
  const auto offset = [&](int64_t row, int64_t unit, int64_t byte) {
    return scale_offset(ScalePlace::kCells16, units, row, unit, byte);
  };
  EXPECT_EQ(offset(0, 0, 0), 0);
  EXPECT_EQ(offset(0, 0, 1), 1);
  EXPECT_EQ(offset(0, 0, 2), 32);
  EXPECT_EQ(offset(0, 0, 3), 33);
  EXPECT_EQ(offset(1, 0, 0), 2);
  EXPECT_EQ(offset(15, 0, 3), 63);
  EXPECT_EQ(offset(2, 1, 2), 64 + 36);
  EXPECT_EQ(offset(16, 0, 0), 3 * 64);
  EXPECT_EQ(offset(16, 2, 1), 5 * 64 + 1);
}

TEST(BlockPlace, Records) {
  const BlockGrid mxfp4 = grid(2, 3, 16, 1, 1);
  EXPECT_THAT(code_shape(CodePlace::kInRecords, mxfp4), ElementsAre(2, 3, 17));
  EXPECT_EQ(scale_offset(ScalePlace::kInRecords, mxfp4, 1, 2, 0), 5 * 17);
  EXPECT_EQ(code_offset(CodePlace::kInRecords, mxfp4, 1, 2), 5 * 17 + 1);
  const BlockGrid nvfp4 = grid(2, 8, 8, 1, 4);
  EXPECT_THAT(scale_shape(ScalePlace::kInRecords, nvfp4), ElementsAre(2, 2, 36));
  EXPECT_EQ(scale_offset(ScalePlace::kInRecords, nvfp4, 0, 3, 0), 3);
  EXPECT_EQ(code_offset(CodePlace::kInRecords, nvfp4, 0, 0), 4);
  EXPECT_EQ(code_offset(CodePlace::kInRecords, nvfp4, 0, 3), 28);
  EXPECT_EQ(scale_offset(ScalePlace::kInRecords, nvfp4, 1, 5, 0), 3 * 36 + 1);
  EXPECT_EQ(code_offset(CodePlace::kInRecords, nvfp4, 1, 5), 3 * 36 + 4 + 8);
}

}  // namespace
}  // namespace nibblecore
