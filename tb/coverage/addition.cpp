// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/addition.hpp"

#include <algorithm>

namespace nibblecore::tb {
namespace {

constexpr int32_t kLeastExponent = -149;
constexpr int32_t kSignificandBits = 24;
constexpr int32_t kFar = 64;

Uint128 magnitude(Int128 value) { return static_cast<Uint128>(value < 0 ? -value : value); }

/// Trailing zeros of a number that is not zero.
int trailing_zeros(uint32_t value) { return __builtin_ctz(value); }

/// `addend` in units of 2^least, where it lies at most kFar places higher; +-1 where it was lower.
Int128 in_units(int64_t addend, int32_t exponent, int32_t least) {
  if (exponent < least) {
    return addend < 0 ? -1 : 1;
  }
  return static_cast<Int128>(addend) * (static_cast<Int128>(1) << (exponent - least));
}

Fraction fraction_of(Uint128 rest, int32_t shift, bool odd) {
  constexpr int32_t kNarrow = 7;
  const Uint128 half = static_cast<Uint128>(1) << (shift - 1);
  const Uint128 narrow = shift > kNarrow ? static_cast<Uint128>(1) << (shift - kNarrow) : 0;
  if (rest == 0) {
    return Fraction::kExact;
  }
  if (rest == half) {
    return odd ? Fraction::kTieUp : Fraction::kTieDown;
  }
  if (rest < half) {
    return rest < narrow          ? Fraction::kJustAbove
           : half - rest < narrow ? Fraction::kJustBelowHalf
                                  : Fraction::kBelowHalf;
  }
  return rest - half < narrow       ? Fraction::kJustAboveHalf
         : 2 * half - rest < narrow ? Fraction::kJustBelowNext
                                    : Fraction::kAboveHalf;
}

}  // namespace

Addition exact_addition(uint32_t accumulator, int32_t term, int32_t exponent) {
  const uint32_t field = (accumulator >> 23) & 0xFF;
  const uint32_t fraction = accumulator & 0x7FFFFF;
  const uint32_t significand = field == 0 ? fraction : fraction | 0x800000;
  const bool negative = (accumulator >> 31) != 0;
  const int32_t accumulator_exponent = static_cast<int32_t>(std::max(field, 1U)) - 150;
  const uint32_t term_magnitude = static_cast<uint32_t>(term < 0 ? -term : term);

  Addition result{};
  result.distance = accumulator_exponent - exponent;
  result.accumulator_bits = bit_width(significand);
  result.term_bits = bit_width(term_magnitude);
  result.lower_trailing_zeros = trailing_zeros(result.distance < 0 ? significand : term_magnitude);
  result.subtracts = negative != (term < 0);
  const int32_t higher = std::max(accumulator_exponent, exponent);
  const int32_t least = std::max(std::min(accumulator_exponent, exponent), higher - kFar);
  const Int128 start = in_units(negative ? -static_cast<int64_t>(significand) : significand,
                                accumulator_exponent, least);
  const Int128 added = in_units(term, exponent, least);
  result.greater_bits = bit_width128(std::max(magnitude(start), magnitude(added)));
  result.sum = start + added;
  result.sum_bits = bit_width128(magnitude(result.sum));
  result.sum_exponent = least;
  return result;
}

Rounded round_exactly(Int128 sum, int32_t exponent) {
  const Uint128 value = magnitude(sum);
  const int32_t bits = bit_width128(value);
  const int32_t normal_exponent = exponent + bits - kSignificandBits;
  Rounded result{};
  result.subnormal = normal_exponent < kLeastExponent;
  result.last_exponent = std::max(normal_exponent, kLeastExponent);
  const int32_t shift = result.last_exponent - exponent;
  if (shift <= 0) {
    result.fraction = Fraction::kExact;
    result.mantissa = static_cast<uint32_t>(value << -shift);
    return result;
  }
  // Past the top bit by two places or more all looks alike: a rest just above zero.
  constexpr int32_t kWidest = 126;
  if (shift > kWidest) {
    result.fraction = Fraction::kJustAbove;
    return result;
  }
  const Uint128 kept = value >> shift;
  result.fraction = fraction_of(value - (kept << shift), shift, (kept & 1) != 0);
  const bool up = result.fraction == Fraction::kTieUp ||
                  static_cast<int>(result.fraction) >= static_cast<int>(Fraction::kJustAboveHalf);
  result.mantissa = static_cast<uint32_t>(kept) + (up ? 1U : 0U);
  if (result.mantissa == 1U << kSignificandBits) {
    result.mantissa >>= 1;
    ++result.last_exponent;
  }
  return result;
}

}  // namespace nibblecore::tb
