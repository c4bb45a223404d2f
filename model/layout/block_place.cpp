// SPDX-License-Identifier: Apache-2.0
#include "model/layout/block_place.hpp"

#include "model/common/checked.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kCellRows = 16;
constexpr int64_t kCellBytes = 64;
constexpr int64_t kTileRows = 128;
constexpr int64_t kTileBlocks = 4;
constexpr int64_t kTileBytes = 512;

int64_t record_bytes(const BlockGrid& grid) {
  return grid.record * (grid.scale_bytes + grid.code_bytes);
}

std::vector<int64_t> record_shape(const BlockGrid& grid) {
  return {grid.rows, grid.blocks / grid.record, record_bytes(grid)};
}

int64_t record_offset(const BlockGrid& grid, int64_t row, int64_t block) {
  return (row * (grid.blocks / grid.record) + block / grid.record) * record_bytes(grid);
}

/// Bytes 0 and 1 of 16 scales, a row after the other, then bytes 2 and 3 of them.
int64_t cell_offset(const BlockGrid& grid, int64_t row, int64_t block, int64_t byte) {
  const int64_t cell = row / kCellRows * grid.blocks + block;
  return cell * kCellBytes + byte / 2 * (kCellBytes / 2) + row % kCellRows * 2 + byte % 2;
}

}  // namespace

std::vector<int64_t> code_shape(CodePlace place, const BlockGrid& grid) {
  switch (place) {
    case CodePlace::kRows:
      return {grid.rows, grid.blocks * grid.code_bytes};
    case CodePlace::kColumns:
      return {grid.blocks, grid.rows, grid.code_bytes};
    case CodePlace::kInRecords:
      return record_shape(grid);
  }
  throw InternalError("unknown place of codes");
}

std::vector<int64_t> scale_shape(ScalePlace place, const BlockGrid& grid) {
  switch (place) {
    case ScalePlace::kRows:
      return {grid.rows, grid.blocks * grid.scale_bytes};
    case ScalePlace::kPairs:
      return {grid.rows, ceil_divide(grid.blocks, 2), 2};
    case ScalePlace::kSwizzle128x4:
      return {ceil_divide(grid.rows, kTileRows), ceil_divide(grid.blocks, kTileBlocks), kTileBytes};
    case ScalePlace::kCells16:
      return {ceil_divide(grid.rows, kCellRows), grid.blocks, kCellBytes};
    case ScalePlace::kInRecords:
      return record_shape(grid);
  }
  throw InternalError("unknown place of scales");
}

int64_t code_offset(CodePlace place, const BlockGrid& grid, int64_t row, int64_t block) {
  switch (place) {
    case CodePlace::kRows:
      return (row * grid.blocks + block) * grid.code_bytes;
    case CodePlace::kColumns:
      return (block * grid.rows + row) * grid.code_bytes;
    case CodePlace::kInRecords:
      return record_offset(grid, row, block) + grid.record * grid.scale_bytes +
             block % grid.record * grid.code_bytes;
  }
  throw InternalError("unknown place of codes");
}

int64_t scale_offset(ScalePlace place, const BlockGrid& grid, int64_t row, int64_t block,
                     int64_t byte) {
  switch (place) {
    case ScalePlace::kRows:
      return (row * grid.blocks + block) * grid.scale_bytes + byte;
    case ScalePlace::kPairs:
      return row * ceil_divide(grid.blocks, 2) * 2 + block;
    case ScalePlace::kSwizzle128x4:
      return swizzle_128x4_offset(row, block, grid.blocks);
    case ScalePlace::kCells16:
      return cell_offset(grid, row, block, byte);
    case ScalePlace::kInRecords:
      return record_offset(grid, row, block) + block % grid.record * grid.scale_bytes + byte;
  }
  throw InternalError("unknown place of scales");
}

}  // namespace nibblecore
