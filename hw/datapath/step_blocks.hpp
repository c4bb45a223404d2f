// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/channel/payload.hpp"

namespace nibblecore::hw {

/// How a step uses the array: blocks of A's `dense` lanes, then blocks of its `sparse` lanes. Both
/// begin at the step's first block of K.
struct StepBlocks {
  int dense;
  int sparse;
};

/// The blocks of a step on an array whose depth holds `depth_blocks` of them; InternalError where
/// the tag's counts don't go with its kind or don't fit.
StepBlocks step_blocks(const StepTag& tag, int depth_blocks);

}  // namespace nibblecore::hw
