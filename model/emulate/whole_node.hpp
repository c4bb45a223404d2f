// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/node_bounds.hpp"
#include "model/emulate/tile_shape.hpp"

namespace nibblecore {

/// A node of a tile in which alignment cuts nothing off accumulators within bounds, so that the
/// result is the exact sum, cut to FP32 toward zero.
struct WholeNode {
  const TileBlocks& blocks;  ///< up to 4
  const int32_t* dots;       ///< [blocks, kPanelRows, kStripColumns]
  const NodeBounds& bounds;
  float* accumulators;  ///< [kPanelRows, kStripColumns]
  uint8_t* truncation;  ///< the same, or null
  uint64_t* rows_left;  ///< receives a bit for every row that is left as it was
};

/// In what the blocks of a node are added to one another, always exactly.
enum class WholeSum { kFp32, kFp64 };

/// Adds a node to all rows but those with an output off the bounds. The sum of the blocks without
/// the accumulator must be a number of `sum`, and with it an FP64 number.
void add_whole_node(const WholeNode& node, WholeSum sum, EmulatorTarget target);

/// The same in FP32 on AVX-512, which truncates by itself; `node.truncation` is null.
void add_whole_node_avx512(const WholeNode& node);

}  // namespace nibblecore
