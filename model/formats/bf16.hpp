// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/common/bits.hpp"
#include "model/formats/number_format.hpp"

namespace nibblecore {

/// BF16: the upper half of an FP32 number.
inline constexpr NumberFormat kBf16Format{"BF16", 8, 7, 127, true, true, SpecialCodes::kIeee};

/// FP32 bits to BF16, nearest even. Large finite numbers may become infinity; a NaN stays one
/// (made quiet, its upper payload kept).
constexpr uint16_t bf16_from_fp32(uint32_t bits) {
  if ((bits & 0x7FFFFFFF) > 0x7F800000) {
    return static_cast<uint16_t>((bits >> 16) | 0x0040);
  }
  return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

/// BF16 to FP32 bits, exactly.
constexpr uint32_t bf16_to_fp32(uint16_t bits) { return uint32_t{bits} << 16; }

/// `value` rounded to the nearest BF16 number, as a float.
inline float round_to_bf16(float value) {
  return bits_float(bf16_to_fp32(bf16_from_fp32(float_bits(value))));
}

}  // namespace nibblecore
