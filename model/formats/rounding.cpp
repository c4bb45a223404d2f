// SPDX-License-Identifier: Apache-2.0
#include "model/formats/rounding.hpp"

#include <algorithm>
#include <cmath>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/named_record.hpp"

namespace nibblecore {
namespace {

enum class Rest { kZero, kBelowHalf, kHalf, kAboveHalf };

bool rounds_up(Rest rest, bool odd, Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearestEven:
      return rest == Rest::kAboveHalf || (rest == Rest::kHalf && odd);
    case Rounding::kNearestAway:
      return rest == Rest::kAboveHalf || rest == Rest::kHalf;
    case Rounding::kNearestZero:
      return rest == Rest::kAboveHalf;
    case Rounding::kTowardZero:
      return false;
    case Rounding::kStochastic:
      throw InternalError("stochastic rounding without random bits");
  }
  return false;
}

/// The part of `significand` under bit `shift` (> 0), against half of that bit.
Rest rest_below(uint64_t significand, int shift, bool sticky) {
  if (shift > 64) {
    return significand == 0 && !sticky ? Rest::kZero : Rest::kBelowHalf;
  }
  const uint64_t half = uint64_t{1} << (shift - 1);
  const uint64_t rest = shift == 64 ? significand : significand & ((half << 1) - 1);
  if (rest > half || (rest == half && sticky)) {
    return Rest::kAboveHalf;
  }
  if (rest == half) {
    return Rest::kHalf;
  }
  return rest == 0 && !sticky ? Rest::kZero : Rest::kBelowHalf;
}

}  // namespace

Rounding rounding(std::string_view name) {
  return find_record(kRoundings, name, "--rounding").rounding;
}

std::string_view name_of(Rounding rounding) {
  return std::find_if(kRoundings.begin(), kRoundings.end(),
                      [&](const RoundingRecord& record) { return record.rounding == rounding; })
      ->name;
}

uint32_t round_magnitude(const NumberFormat& format, const UnroundedMagnitude& value,
                         Rounding rounding, Overflow overflow) {
  if (value.significand == 0) {
    return 0;
  }
  const int top = value.exponent + bit_width(value.significand) - 1;
  if (top < format.min_exponent() && !format.has_subnormals) {
    throw InternalError(std::string("value below the smallest number of ") + format.name);
  }
  const int64_t infinity_code = int64_t{format.largest_code()} + 1;
  const int64_t overflow_code = overflow == Overflow::kInfinity ? infinity_code : infinity_code - 1;
  const int exponent = std::max(top, format.min_exponent());
  // Twice past the largest binade: certainly an overflow, and the shifts below stay small.
  if (exponent > format.min_exponent() + (1 << format.exponent_bits)) {
    return static_cast<uint32_t>(overflow_code);
  }
  const int shift = exponent - format.mantissa_bits - value.exponent;
  uint64_t kept = 0;
  Rest rest = Rest::kZero;
  if (shift <= 0) {
    kept = value.significand << -shift;
  } else {
    kept = shift >= 64 ? 0 : value.significand >> shift;
    rest = rest_below(value.significand, shift, value.sticky);
  }
  const int64_t hidden_bit = format.has_subnormals ? 0 : int64_t{1} << format.mantissa_bits;
  int64_t code = (static_cast<int64_t>(exponent - format.min_exponent()) << format.mantissa_bits) +
                 static_cast<int64_t>(kept) - hidden_bit;
  // The code's own parity: without mantissa bits every significand is odd. The next code is the
  // next number, also where a carry of the mantissa moves the exponent.
  code += rounds_up(rest, (code & 1) != 0, rounding) ? 1 : 0;
  return static_cast<uint32_t>(code >= infinity_code ? overflow_code : code);
}

UnroundedMagnitude unrounded(double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  return {static_cast<uint64_t>(std::ldexp(fraction, 53)), exponent - 53, false};
}

}  // namespace nibblecore
