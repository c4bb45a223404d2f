// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace nibblecore {

/// Where the codes of the blocks lie.
enum class CodePlace {
  kRows,      ///< [rows, blocks]
  kColumns,   ///< [blocks, rows]
  kInRecords  ///< with the scales
};

/// Where the scales of the blocks lie.
enum class ScalePlace {
  kRows,          ///< [rows, blocks]
  kPairs,         ///< [rows, ceil(blocks / 2), 2]
  kSwizzle128x4,  ///< tiles of 128 rows and 4 blocks, 512 bytes each: swizzle_128x4_offset
  kCells16,       ///< cells of 16 rows and one HiF4 unit, 64 bytes each
  kInRecords      ///< records of a row: the scales of its blocks, then their codes
};

/// Sizes of a blocked matrix in some layout.
struct BlockGrid {
  int64_t rows = 0;
  int64_t blocks = 0;       ///< a row
  int64_t code_bytes = 0;   ///< a block
  int64_t scale_bytes = 0;  ///< a block
  int64_t record = 0;       ///< blocks a record, a divisor of `blocks`; 0 without records
};

/// Byte offset of the scale of (row, column) among swizzled scales of `columns` blocks a row
/// (cuBLAS, 128x4 block scale layout): 512-byte tiles, row after row of tiles.
constexpr int64_t swizzle_128x4_offset(int64_t row, int64_t column, int64_t columns) {
  const int64_t tiles_a_row = (columns + 3) / 4;
  const int64_t tile = row / 128 * tiles_a_row + column / 4;
  return tile * 512 + row % 32 * 16 + row % 128 / 32 * 4 + column % 4;
}

/// Shape, in bytes, of the tensor that holds the codes, or of the records.
std::vector<int64_t> code_shape(CodePlace place, const BlockGrid& grid);
/// Shape, in bytes, of the tensor that holds the scales, whole tiles and cells; or of the records.
std::vector<int64_t> scale_shape(ScalePlace place, const BlockGrid& grid);

/// Offset of the first code byte of a block in its tensor.
int64_t code_offset(CodePlace place, const BlockGrid& grid, int64_t row, int64_t block);
/// Offset of scale byte `byte` (0 .. scale_bytes - 1) of a block in its tensor.
int64_t scale_offset(ScalePlace place, const BlockGrid& grid, int64_t row, int64_t block,
                     int64_t byte);

}  // namespace nibblecore
