// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/emulate/fused_node.hpp"
#include "model/emulate/node_scales.hpp"
#include "model/emulate/tile_adder.hpp"
#include "model/emulate/tile_kernels.hpp"

namespace nibblecore {

/// Policy `fp32-fused` where a step is several blocks: those of each 64 of K and the accumulator
/// are added exactly and rounded to nearest even once.
class FusedAdder final : public TileAdder {
 public:
  FusedAdder(const BlockFormat& format, EmulatorTarget target);

  void add(const TileRun& run, float* accumulators, uint8_t* truncation) const override;

 private:
  FusedSum sum_of(const NodeScales& scales) const;
  NodeScales scales_of(const TileRun& run, int64_t first, const TileBlocks& node) const;
  void add_step(const TileBlocks& node, const NodeScales& scales, float* accumulators) const;

  ScaleKind kind_;
  EmulatorTarget target_;
  const TileKernels& kernels_;
  uint8_t a_zero_;  ///< what an element 0 of A stands as
};

}  // namespace nibblecore
