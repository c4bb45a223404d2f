// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "hw/channel/quantizer_payload.hpp"

namespace nibblecore::hw {

/// Blocks that enter or leave the quantizer at once; the first `count` count.
struct UnquantizedBeat {
  std::vector<UnquantizedBlock> blocks;
  size_t count = 0;

  explicit UnquantizedBeat(size_t most) : blocks(most) {}
};

struct QuantizedBeat {
  std::vector<QuantizedBlock> blocks;
  size_t count = 0;

  explicit QuantizedBeat(size_t most) : blocks(most) {}
};

}  // namespace nibblecore::hw
