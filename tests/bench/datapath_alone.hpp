// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "hw/channel/payload.hpp"
#include "hw/datapath/dot_product_array.hpp"
#include "hw/datapath/scale_multiplier.hpp"

namespace nibblecore::bench {

/// The circuits of a core called as plain functions on one step's random operands, over and over:
/// what the core could reach without a kernel and without operands to move. The step is of one kind
/// and holds all the blocks that this kind can.
class DatapathAlone {
 public:
  DatapathAlone(const CoreDescription& core, const BlockFormat& format, hw::SimdTarget target,
                std::mt19937& random, StepKind kind = StepKind::kDense);

  void run(int64_t steps);

 private:
  BlockFormat format_;
  hw::SimdTarget target_;
  hw::DotProductArray array_;
  hw::ScaleMultiplier multiplier_;
  hw::ASlice a_;
  hw::BSlice b_;
  hw::ScaleSlice a_scales_;
  hw::ScaleSlice b_scales_;
  hw::BlockSums sums_;
  hw::ScaleProducts products_;
  std::vector<uint32_t> registers_;
};

}  // namespace nibblecore::bench
