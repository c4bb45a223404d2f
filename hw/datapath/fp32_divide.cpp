// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_divide.hpp"

#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/leading_zeros.hpp"
#include "hw/datapath/quantizer_widths.hpp"

namespace nibblecore::hw {
namespace {

constexpr int32_t kQuotientBits = 26;

/// A non-zero significand moved up until its top bit is bit 23.
Fp32Fields normalised(const Fp32Fields& fields) {
  constexpr int32_t kEmptyBits = 64 - 24;
  const int32_t shift = leading_zeros(fields.significand) - kEmptyBits;
  Fp32Fields result = fields;
  result.significand <<= shift;
  result.exponent -= shift;
  require_width(kSignificand, result.significand);
  return result;
}

/// floor(numerator * 2^25 / divisor), below it one more bit: whether anything remains.
uint32_t long_division(uint32_t numerator, uint32_t divisor) {
  WidthMonitor remainder_width(kPartialRemainder);
  uint32_t remainder = numerator;
  uint32_t quotient = 0;
  for (int32_t bit = 0; bit < kQuotientBits; ++bit) {
    remainder_width.observe(remainder);
    const bool fits = remainder >= divisor;
    quotient = (quotient << 1) | (fits ? 1U : 0U);
    remainder = (fits ? remainder - divisor : remainder) << 1;
  }
  remainder_width.require();
  require_width(kQuotient, quotient);
  return (quotient << 1) | (remainder != 0 ? 1U : 0U);
}

}  // namespace

uint32_t fp32_divide(uint32_t a, uint32_t b) {
  const Fp32Fields x = unpack_fp32(a);
  const Fp32Fields y = unpack_fp32(b);
  const uint32_t sign = (a ^ b) & kSignBit;
  const bool nan = (x.is_special && x.significand != 0) || (y.is_special && y.significand != 0);
  const bool x_zero = !x.is_special && x.significand == 0;
  const bool y_zero = !y.is_special && y.significand == 0;
  if (nan || (x_zero && y_zero) || (x.is_special && y.is_special)) {
    return kQuietNan;
  }
  if (x.is_special || y_zero) {
    return sign | kInfinityBits;
  }
  if (y.is_special || x_zero) {
    return sign;
  }
  const Fp32Fields numerator = normalised(x);
  const Fp32Fields divisor = normalised(y);
  // The quotient counts 2^-25, with its sticky bit 2^-26.
  const int32_t exponent = numerator.exponent - divisor.exponent - kQuotientBits;
  return round_fp32(sign != 0, long_division(numerator.significand, divisor.significand), exponent);
}

}  // namespace nibblecore::hw
