// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/number_format.hpp"

namespace nibblecore {

/// E6M2, the level-1 scale of HiF4 (arXiv 2602.11287): 2^(E-48) * (1 + M/4), unsigned, without
/// zero or subnormals; code 255 is NaN. Smallest 2^-48, largest 1.5 * 2^15.
inline constexpr NumberFormat kE6m2Format{"E6M2", 6, 2, 48, false, false, SpecialCodes::kNanOnly};

inline constexpr uint8_t kE6m2Nan = 0xFF;

/// The reciprocal of an E6M2 number as the published datapath has it: BF16 bits, from a table of
/// four mantissas and a subtraction of exponents. It equals 1/X rounded to BF16. `code` is not NaN.
constexpr uint16_t e6m2_reciprocal_bf16(uint8_t code) {
  constexpr uint16_t kMantissas[4] = {0x00, 0x4D, 0x2B, 0x12};
  const int exponent = (code >> 2) - 48;
  const int mantissa_index = code & 3;
  const int reciprocal_exponent = mantissa_index == 0 ? -exponent : -exponent - 1;
  return static_cast<uint16_t>(((reciprocal_exponent + 127) << 7) | kMantissas[mantissa_index]);
}

}  // namespace nibblecore
