// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

/// The factor of a macro block taken apart, or the product of two: significand * 2^exponent.
struct FactorFields {
  uint32_t significand;
  int32_t exponent;
};

/// Decoder of a positive finite FP16 number: 11 bits of significand, the hidden one set for normal
/// numbers; exponents -24 to 5.
constexpr FactorFields fp16_fields(uint16_t code) {
  const uint32_t field = (code >> 10) & 0x1F;
  const uint32_t fraction = code & 0x3FF;
  return {field == 0 ? fraction : fraction | 0x400,
          static_cast<int32_t>(field == 0 ? 1 : field) - 25};
}

/// The product of two: 11 x 11 = 22 bits, exact.
constexpr FactorFields factor_product(const FactorFields& a, const FactorFields& b) {
  return {a.significand * b.significand, a.exponent + b.exponent};
}

}  // namespace nibblecore::hw
