// SPDX-License-Identifier: Apache-2.0
#include "hw/units/piece_reader.hpp"

#include <algorithm>
#include <cstring>

#include "model/common/checked.hpp"

namespace nibblecore::hw {
namespace {

bool bit(const uint8_t* bits, int64_t index) { return ((bits[index / 8] >> (index % 8)) & 1) != 0; }

/// One bit a channel of the piece, or one bit a tile of 32 rows by 64 channels.
uint64_t keep_mask(const OnlinePiece& piece, int64_t row, int64_t block) {
  const uint8_t* bits = piece.bytes + piece.rows * piece.k * input_bytes(piece.path);
  const int64_t first = block * piece.block;
  const int64_t count = std::min<int64_t>(piece.block, piece.k - first);
  const int64_t tile_row = row / kResidualTileRows * ceil_divide(piece.k, kResidualTileChannels);
  uint64_t mask = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t index = piece.mask == ResidualPattern::kChannel50
                              ? first + i
                              : tile_row + (first + i) / kResidualTileChannels;
    mask |= uint64_t{bit(bits, index) ? 1U : 0U} << i;
  }
  return mask;
}

}  // namespace

void read_block(const OnlinePiece& piece, int64_t row, int64_t block, UnquantizedBlock& result) {
  result.tag = {row, block};
  const int64_t first = block * piece.block;
  const int64_t count = std::min<int64_t>(piece.block, piece.k - first);
  const int64_t width = input_bytes(piece.path);
  const uint8_t* from = piece.bytes + (row * piece.k + first) * width;
  std::fill(result.values.begin(), result.values.end(), 0U);
  if (piece.path == OperandPath::kOnlineFp32) {
    std::memcpy(result.values.data(), from, static_cast<size_t>(count * width));
  } else {
    for (int64_t i = 0; i < count; ++i) {
      uint16_t bits = 0;
      std::memcpy(&bits, from + i * width, sizeof bits);
      result.values.at(static_cast<size_t>(i)) = uint32_t{bits} << 16;
    }
  }
  result.keep = piece.mask == ResidualPattern::kNone ? ~uint64_t{0} : keep_mask(piece, row, block);
}

}  // namespace nibblecore::hw
