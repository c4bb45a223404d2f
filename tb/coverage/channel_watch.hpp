// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/channel/flag.hpp"
#include "tb/coverage/control_points.hpp"

namespace nibblecore::tb {

/// Reads what the channels and flags of a core hold, cycle by cycle.
class ChannelWatch {
 public:
  /// `core`: hierarchical name of a core that exists. InternalError where it lacks a channel or
  /// flag of ControlPoints.
  explicit ChannelWatch(const std::string& core);

  void sample(ControlPoints& points, Pressure pressure) const;

 private:
  std::vector<const uint32_t*> occupancies_;
  std::vector<const hw::Flag*> flags_;
};

}  // namespace nibblecore::tb
