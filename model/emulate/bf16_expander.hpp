// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// What the tile unit takes at a time: 32 elements of K of 16 rows of an operand, in BF16.
inline constexpr int64_t kBf16TileRows = 16;
inline constexpr int64_t kBf16TileElements = 32;
inline constexpr int64_t kBf16TileSize = kBf16TileRows * kBf16TileElements;
/// Such tiles along K that are decoded and multiplied at a time.
inline constexpr int64_t kBf16Tiles = 8;

/// Blocks of one or several matrices of the same shape that are added one after the other.
struct Bf16Blocks {
  struct Block {
    const PackedMatrix* matrix;
    int64_t index;
  };
  std::array<Block, kBf16Tiles * 2> blocks;
  int64_t count = 0;
};

/// Decodes rows [first, first + 16) of the blocks of E2M1 elements to BF16, as left operands of the
/// tile unit: [tiles, 16 rows, 32]. Rows past the end, and what blocks leave of `tiles`, are zeros.
/// A tile holds one block of 32 or two of 16. Needs EmulatorTarget::kAmx.
void expand_left(const Bf16Blocks& blocks, int64_t first, int64_t tiles, uint16_t* elements);

/// The same as right operands: [tiles, 16 pairs of K, 16 rows, 2].
void expand_right(const Bf16Blocks& blocks, int64_t first, int64_t tiles, uint16_t* elements);

}  // namespace nibblecore
