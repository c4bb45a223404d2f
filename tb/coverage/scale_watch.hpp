// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "hw/channel/payload.hpp"
#include "hw/datapath/site.hpp"
#include "model/machine/core_description.hpp"
#include "tb/coverage/scale_points.hpp"
#include "tb/coverage/step_places.hpp"

namespace nibblecore::tb {

/// What the scale unit gave for one step.
struct StepScales {
  hw::StepTag tag;
  std::vector<int32_t> exponents;  ///< [block, row, column]
  std::vector<uint8_t> nan;
};

/// Reads the scale unit's buses, and keeps the products until the accumulators take them.
class ScaleWatch {
 public:
  ScaleWatch(const CoreDescription& core, ScalePoints& points);

  void bus(const hw::StepTag& tag, const TilePlace& place, hw::Site site, int64_t index,
           const int32_t* lanes, int count);

  /// The products of this step; drops those of earlier ones.
  const StepScales& of_step(const hw::StepTag& tag);

 private:
  StepScales& under_way(const hw::StepTag& tag);

  CoreDescription core_;
  ScalePoints& points_;
  std::vector<uint8_t> a_;  ///< [row], of the block under way
  std::vector<uint8_t> b_;  ///< [column]
  std::deque<StepScales> steps_;
};

}  // namespace nibblecore::tb
