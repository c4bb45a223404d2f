// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/number_format.hpp"

namespace nibblecore {

/// FP16 (IEEE 754 binary16), the factors of macro blocks.
inline constexpr NumberFormat kFp16Format{"FP16", 5, 10, 15, true, true, SpecialCodes::kIeee};

/// Whether the FP32 number with these bits is a finite FP16 number (a subnormal one, too).
constexpr bool fp32_is_fp16(uint32_t bits) {
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  const uint32_t field = magnitude >> 23;
  if (field < 127 - 24 || field > 127 + 15) {
    return magnitude == 0;
  }
  // Bits of FP32's fraction that FP16 has not: 13, and one more for every binade below 2^-14.
  const uint32_t missing = field >= 127 - 14 ? 13 : 13 + (127 - 14) - field;
  return (magnitude & ((uint32_t{1} << missing) - 1)) == 0;
}

}  // namespace nibblecore
