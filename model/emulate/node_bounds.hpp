// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/tile_shape.hpp"
#include "model/formats/block_format.hpp"

namespace nibblecore {

/// The bounds of a WholeNode: of a row the largest power of two that is an exponent of its scales
/// in the node (NodeScales), of a column the same, times 2^floor, negative. The product of the two
/// is thus at least 2^(exponent + floor) of every block of the output. Infinite where no scale is
/// a normal FP32 number.
struct NodeBounds {
  alignas(64) std::array<float, kPanelRows> rows;
  alignas(64) std::array<float, kStripColumns> columns;
};

void find_bounds(const TileBlocks& node, ScaleKind kind, int floor, EmulatorTarget target,
                 NodeBounds& bounds);

}  // namespace nibblecore
