// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore {

/// Adds blocks of decoded operands to accumulators under `fp32-rne`: 16 * `units` rows of A times
/// one strip of B (kStripColumns columns).
struct Bf16Strip {
  const uint16_t* left;   ///< [units, tiles, 16 rows, 32], as expand_left has it; one turn
                          ///< more is read behind the last unit
  const uint16_t* right;  ///< [2, tiles, 16 pairs, 16 columns, 2], as expand_right has it
  int64_t units;
  int64_t tiles;  ///< a multiple of kBf16TilesOfTurn
  int length;     ///< elements of a block, 16 or 32
};

/// The kernel takes two blocks a turn: this many tiles of an operand at most.
inline constexpr int64_t kBf16TilesOfTurn = 2;

/// Adds each block of the strip, in ascending K, to `accumulators` [16 * units, kStripColumns],
/// rounding once a block. The operands must fit (fits_bf16): then what the tile unit makes of a
/// block is its exact product, though it rounds after each addition. Needs EmulatorTarget::kAmx.
void add_bf16_strip(const Bf16Strip& strip, float* accumulators);

}  // namespace nibblecore
