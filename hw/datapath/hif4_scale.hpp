// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/datapath/scale_factor.hpp"

namespace nibblecore::hw {

/// Fields of a HiF4 level-1 scale (E6M2) over elements in quarters: 3-bit significand 4..7 in
/// quarters; 0xFF is NaN. Levels 2 and 3 never come here: they are shifts in the dot product.
constexpr ScaleFactor hif4_fields(uint8_t e6m2) {
  return {4 + (e6m2 & 3), (e6m2 >> 2) - 48 - 2 - 2, e6m2 == 0xFF};
}

}  // namespace nibblecore::hw
