// SPDX-License-Identifier: Apache-2.0
#include "model/formats/e2m1_unit.hpp"

#include <cmath>

#include "model/common/bits.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore {

float decode_e2m1(uint8_t code, uint8_t scale_code, const NumberFormat& scale_format) {
  const ExactNumber scale = decode(scale_format, scale_code);
  if (scale.is_nan) {
    return bits_float(kFp32Nan);
  }
  // Codes without their sign bit: none is negative.
  const int doubled = static_cast<uint8_t>(kE2m1Doubled[code & 7]);
  const auto integer = static_cast<float>(doubled * static_cast<int>(scale.significand));
  const float magnitude = std::ldexp(integer, scale.exponent - 1);
  return (code & 8) != 0 ? -magnitude : magnitude;
}

}  // namespace nibblecore
