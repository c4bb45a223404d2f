// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "model/emulate/node_scales.hpp"
#include "model/emulate/tile_adder.hpp"
#include "model/emulate/tile_kernels.hpp"
#include "model/emulate/truncating_rule.hpp"
#include "model/emulate/whole_node.hpp"

namespace nibblecore {

/// The policies that align, truncate and add: `blackwell`, `blackwell-v1`, `blackwell-mxf8f6f4`.
///
/// Where the exponents of a node's scales and of its accumulators lie close together alignment cuts
/// nothing off, and the node is an exact sum of integer dots cut to FP32 (add_whole_node). Every
/// other row takes the way of the definition (add_truncated).
class TruncatingAdder final : public TileAdder {
 public:
  TruncatingAdder(Accumulation policy, const BlockFormat& format, EmulatorTarget target);

  void add(const TileRun& run, float* accumulators, uint8_t* truncation) const override;

 private:
  /// How far a node may be taken as a whole.
  struct Way {
    WholeSum sum;
    int spread;  ///< of the node
  };

  std::optional<Way> way_of(const NodeScales& scales) const;
  std::optional<Way> way_of(const TileRun& run, int64_t first, const TileBlocks& node) const;
  void add_node(const TileBlocks& node, const std::optional<Way>& way, float* accumulators,
                uint8_t* truncation) const;
  void add_row(const TileBlocks& node, int64_t row, float* accumulators, uint8_t* truncation) const;

  TruncatingRule rule_;
  ScaleKind kind_;
  EmulatorTarget target_;
  const TileKernels& kernels_;
  uint8_t a_zero_;      ///< what an element 0 of A stands as
  double least_power_;  ///< of the exponent of a scale
};

}  // namespace nibblecore
