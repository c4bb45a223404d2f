// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/emulate/tile_adder.hpp"
#include "model/emulate/tile_kernels.hpp"

namespace nibblecore {

/// Policy `fp32-rne`: each block is added and rounded to nearest even.
class NearestAdder final : public TileAdder {
 public:
  explicit NearestAdder(const TileKernels& kernels) : kernels_(kernels) {}

  void add(const TileRun& run, float* accumulators, uint8_t* truncation) const override;

 private:
  void add_wide(const TileBlocks& block, float* accumulators) const;

  const TileKernels& kernels_;
};

}  // namespace nibblecore
