// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace nibblecore {

/// Rows of A in a panel, and rows of B (columns of the result) in a strip. A panel meets a strip in
/// a tile of this many outputs.
inline constexpr std::ptrdiff_t kPanelRows = 48;
inline constexpr std::ptrdiff_t kStripColumns = 32;
inline constexpr size_t kTileOutputs = size_t{kPanelRows} * kStripColumns;

/// Elements of K that one step of a GEMM adds at most: a strip of B of this length stays in the
/// innermost cache while panels of A pass by.
inline constexpr int64_t kLongestStep = 512;

/// How elements of A stand in a panel: as signed bytes, or with a bias that makes them unsigned
/// (instructions that multiply unsigned by signed bytes).
enum class ElementForm { kSigned, kBiased };

/// Some scale blocks of a panel of A and of a strip of B, in ascending K.
///
/// Elements are integers: doubled E2M1 (|.| <= 12), or quarters of HiF4 shifted by both
/// micro-exponents (|.| <= 28). What they were multiplied by is divided out of the scales, so that
/// block value = integer dot * scale of A * scale of B.
struct TileBlocks {
  const uint8_t* a;        ///< [blocks, kPanelRows, length]
  const float* a_scales;   ///< [blocks, kPanelRows]; NaN where the code is NaN
  const int8_t* b;         ///< [blocks, length / 4, kStripColumns, 4]
  const float* b_scales;   ///< [blocks, kStripColumns]
  const int32_t* b_start;  ///< [blocks, kStripColumns]: minus what the bias of A adds to a dot
  int64_t blocks;
  int length;  ///< elements of a block: 16, 32 or 64
  int rows;    ///< of the panel, 1 to kPanelRows; the others need not be computed
  /// Memory that will be read soon; a kernel may fetch it into a cache as it goes.
  const uint8_t* ahead;
  int64_t ahead_bytes;

  /// The blocks [first, first + count) of these.
  TileBlocks part(int64_t first, int64_t count) const {
    TileBlocks some = *this;
    some.a += first * kPanelRows * length;
    some.a_scales += first * kPanelRows;
    some.b += first * kStripColumns * length;
    some.b_scales += first * kStripColumns;
    some.b_start += first * kStripColumns;
    some.blocks = count;
    return some;
  }
};

}  // namespace nibblecore
