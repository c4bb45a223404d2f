// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/datapath/scale_factor.hpp"

namespace nibblecore::hw {

/// Fields of a UE4M3 scale over doubled E2M1 elements: 4-bit significand in eighths, never
/// normalised; bit 7 is ignored; 0x7F is NaN.
constexpr ScaleFactor ue4m3_fields(uint8_t code) {
  const int32_t field = (code >> 3) & 15;
  const int32_t mantissa = code & 7;
  const int32_t significand = field == 0 ? mantissa : 8 + mantissa;
  const int32_t exponent = field == 0 ? -6 : field - 7;
  return {significand, exponent - 3 - 1, (code & 0x7F) == 0x7F};
}

}  // namespace nibblecore::hw
