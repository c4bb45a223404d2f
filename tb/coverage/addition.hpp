// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/common/bits.hpp"

namespace nibblecore::tb {

/// accumulator + term * 2^exponent of two numbers that are not zero, exactly enough to tell how the
/// adder has to treat it: an addend 64 or more places below the other one becomes one unit there.
/// Written with 128-bit integers, apart from the datapath.
struct Addition {
  /// Of the accumulator's last bit less the term's.
  int32_t distance;
  /// Of the addends before alignment.
  int accumulator_bits;
  int term_bits;
  /// Set bits at the low end of the lower addend that are zero.
  int lower_trailing_zeros;
  bool subtracts;
  /// Of the greater of both aligned magnitudes, and of the sum's.
  int greater_bits;
  int sum_bits;
  Int128 sum;
  int32_t sum_exponent;
};

/// `accumulator`: bits of a finite FP32 number, not zero; `term` not zero.
Addition exact_addition(uint32_t accumulator, int32_t term, int32_t exponent);

/// Where a sum lies between two neighbouring FP32 numbers.
enum class Fraction {
  kExact,
  kJustAbove,  ///< of the lower number: below 1/128 of the distance
  kBelowHalf,
  kJustBelowHalf,  ///< the last 1/128 of the distance before half
  kTieDown,        ///< half, and the lower number is even
  kTieUp,
  kJustAboveHalf,
  kAboveHalf,
  kJustBelowNext,
};
inline constexpr size_t kFractions = 9;

/// sum * 2^exponent in magnitude between FP32 numbers, exponents unlimited upward.
struct Rounded {
  Fraction fraction;
  bool subnormal;  ///< below 2^-126 before it is rounded
  /// The rounded magnitude is mantissa * 2^last_exponent.
  uint32_t mantissa;
  int32_t last_exponent;
};

/// `sum` not zero.
Rounded round_exactly(Int128 sum, int32_t exponent);

}  // namespace nibblecore::tb
