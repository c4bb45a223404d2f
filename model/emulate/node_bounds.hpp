// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/tile_shape.hpp"
#include "model/formats/block_format.hpp"

namespace nibblecore {

/// Sizes of accumulators at which a node is added exactly: with t the product of a row's and a
/// column's bound, those that are +0 or have t <= |accumulator| < t * 2^binades.
///
/// A row's bound is the largest power of two that is an exponent of its scales (NodeScales), a
/// column's the same times 2^floor, negative: |t| is at least 2^(exponent + floor) of every block
/// of the output. Infinite where no scale is a normal FP32 number: the accumulator must be zero.
struct NodeBounds {
  alignas(64) std::array<float, kPanelRows> rows;
  alignas(64) std::array<float, kStripColumns> columns;
  int binades;
};

/// Accumulators from 2^floor times the highest exponent to 2^ceiling times the lowest one of an
/// output.
struct BoundsRule {
  int floor;
  int ceiling;
};

/// Finds the bounds of a node whose exponents lie at most `spread` apart in an output, which is
/// less than ceiling - floor.
void find_bounds(const TileBlocks& node, ScaleKind kind, const BoundsRule& rule, int spread,
                 EmulatorTarget target, NodeBounds& bounds);

}  // namespace nibblecore
