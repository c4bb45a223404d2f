// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore {

/// Which codes of a format are not numbers.
enum class SpecialCodes {
  kNone,     ///< every code is a number
  kNanOnly,  ///< all ones below the sign is NaN, nothing else is special
  kIeee,     ///< exponent field all ones: infinity or NaN
};

/// A binary number format as data: sign (if any), exponent field, mantissa field, from the top
/// bit down. Field e > 0 (or any e where there are no subnormals): 2^(e-bias) * (1 + mantissa).
struct NumberFormat {
  const char* name;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  bool has_sign;
  bool has_subnormals;
  SpecialCodes special_codes;

  /// Bits of a code.
  constexpr int width() const { return (has_sign ? 1 : 0) + magnitude_bits(); }
  /// Bits of a code without its sign.
  constexpr int magnitude_bits() const { return exponent_bits + mantissa_bits; }
  /// Exponent of the smallest normal number.
  constexpr int min_exponent() const { return has_subnormals ? 1 - bias : -bias; }
  /// Magnitude code of the largest finite number.
  constexpr uint32_t largest_code() const {
    const uint32_t all_ones = (uint32_t{1} << magnitude_bits()) - 1;
    switch (special_codes) {
      case SpecialCodes::kNone:
        return all_ones;
      case SpecialCodes::kNanOnly:
        return all_ones - 1;
      case SpecialCodes::kIeee:
        return all_ones - (uint32_t{1} << mantissa_bits);
    }
    return all_ones;
  }
};

/// What a code stands for, exactly: (-1)^negative * significand * 2^exponent. The significand is
/// never normalised: it is the stored mantissa with its hidden bit.
struct ExactNumber {
  bool negative;
  bool is_nan;
  bool is_infinite;
  uint32_t significand;
  int exponent;
};

/// The number behind a code; bits of `code` above the format's width are ignored.
constexpr ExactNumber decode(const NumberFormat& format, uint32_t code) {
  const uint32_t mantissa_mask = (uint32_t{1} << format.mantissa_bits) - 1;
  const uint32_t exponent_mask = (uint32_t{1} << format.exponent_bits) - 1;
  const uint32_t mantissa = code & mantissa_mask;
  const uint32_t field = (code >> format.mantissa_bits) & exponent_mask;
  ExactNumber number{};
  number.negative = format.has_sign && ((code >> format.magnitude_bits()) & 1) != 0;
  if (field == exponent_mask) {
    if (format.special_codes == SpecialCodes::kIeee) {
      number.is_nan = mantissa != 0;
      number.is_infinite = mantissa == 0;
      return number;
    }
    if (format.special_codes == SpecialCodes::kNanOnly && mantissa == mantissa_mask) {
      number.is_nan = true;
      return number;
    }
  }
  const bool subnormal = format.has_subnormals && field == 0;
  const int exponent = subnormal ? format.min_exponent() : static_cast<int>(field) - format.bias;
  number.significand = subnormal ? mantissa : mantissa | (mantissa_mask + 1);
  number.exponent = exponent - format.mantissa_bits;
  return number;
}

/// The number behind a code as a double (exact for every format here); NaN and infinity likewise.
double decode_double(const NumberFormat& format, uint32_t code);

}  // namespace nibblecore
