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
/// what the core could reach without a kernel and without operands to move.
class DatapathAlone {
 public:
  DatapathAlone(const CoreDescription& core, const BlockFormat& format, hw::SimdTarget target,
                std::mt19937& random);

  void run(int64_t steps);

 private:
  BlockFormat format_;
  int blocks_;
  hw::SimdTarget target_;
  hw::DotProductArray array_;
  hw::ScaleMultiplier multiplier_;
  hw::CodeSlice a_codes_;
  hw::CodeSlice b_codes_;
  hw::ScaleSlice a_scales_;
  hw::ScaleSlice b_scales_;
  hw::BlockSums sums_;
  hw::ScaleProducts products_;
  std::vector<uint32_t> registers_;
};

}  // namespace nibblecore::bench
