// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/node_bounds.hpp"
#include "model/emulate/tile_shape.hpp"

namespace nibblecore {

/// A tile's blocks of one step of `fp32-fused`.
struct FusedNode {
  const TileBlocks& blocks;  ///< up to 4
  const int32_t* dots;       ///< [blocks, kPanelRows, kStripColumns]
  /// With accumulators within these, if there are any, the sum of all is an FP64 number.
  const NodeBounds* bounds;
  float* accumulators;  ///< [kPanelRows, kStripColumns]
};

/// In what the blocks of a step can be added to one another exactly.
enum class FusedSum {
  kFp32,
  kFp64,
  kWide,  ///< a fixed-point number that holds everything
};

/// accumulator = RNE_FP32(accumulator + all blocks).
void add_fused_node(const FusedNode& node, FusedSum sum, EmulatorTarget target);

}  // namespace nibblecore
