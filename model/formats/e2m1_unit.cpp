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

E2m1Values::E2m1Values(uint8_t scale, const NumberFormat& scale_format) {
  if (decode(scale_format, scale).is_nan) {
    values_.fill(bits_float(kFp32Nan));
    return;
  }
  // Exact in FP64; FP32 holds it, too, or overflows.
  const double half_scale = decode_double(scale_format, scale) / 2;
  for (size_t code = 0; code < 8; ++code) {
    const auto magnitude = static_cast<float>(kE2m1Doubled[code] * half_scale);
    values_[code] = magnitude;
    values_[code + 8] = -magnitude;
  }
}

}  // namespace nibblecore
