// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/datapath/scale_factor.hpp"

namespace nibblecore::hw {

/// Fields of an E8M0 scale over doubled E2M1 elements: the exponent is the code less its bias, and
/// one more for the doubling. The significand is always 1; code 255 is NaN.
constexpr ScaleFactor e8m0_fields(uint8_t code) {
  return {1, int32_t{code} - 127 - 1, code == 255};
}

}  // namespace nibblecore::hw
