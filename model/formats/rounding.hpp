// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/formats/number_format.hpp"

namespace nibblecore {

/// How a value between two numbers of a format is rounded. Names on the command line follow each.
enum class Rounding {
  kNearestEven,  ///< `rne`: nearest, a tie goes to the even code
  kNearestAway,  ///< `half_away`: nearest, a tie goes away from zero
  kNearestZero,  ///< `half_zero`: nearest, a tie goes toward zero
  kTowardZero,   ///< `toward_zero`: truncate
  /// `stochastic`: away from zero with the probability of the part of the way, by random bits that
  /// the caller brings
  kStochastic,
};

struct RoundingRecord {
  std::string_view name;
  Rounding rounding;
  std::string_view meaning;
};
inline constexpr std::array<RoundingRecord, 5> kRoundings{{
    {"rne", Rounding::kNearestEven, "nearest, a tie goes to the even code"},
    {"half_away", Rounding::kNearestAway, "nearest, a tie goes away from zero"},
    {"half_zero", Rounding::kNearestZero, "nearest, a tie goes toward zero"},
    {"toward_zero", Rounding::kTowardZero, "truncate"},
    {"stochastic", Rounding::kStochastic,
     "away from zero with the probability of the part of the way, by 16 random bits"},
}};

/// The roundings that need no random bits; the datapath has circuits of these.
inline constexpr std::array<RoundingRecord, 4> kDeterministicRoundings{
    {kRoundings[0], kRoundings[1], kRoundings[2], kRoundings[3]}};

/// The rounding of this name; InputError naming the known ones otherwise.
Rounding rounding(std::string_view name);
std::string_view name_of(Rounding rounding);

/// What a magnitude beyond the largest finite number becomes.
enum class Overflow {
  kSaturate,  ///< the largest finite number
  kInfinity,  ///< infinity (only for formats that have it)
};

/// A magnitude not yet rounded: significand * 2^exponent, plus a non-zero rest smaller than
/// 2^exponent where `sticky` is set (then the significand must reach below the rounding position).
struct UnroundedMagnitude {
  uint64_t significand;
  int exponent;
  bool sticky;
};

/// The magnitude code (no sign) of `format` for `value`, rounded once. A value under the smallest
/// number of a format without subnormals is not allowed, nor is kStochastic.
uint32_t round_magnitude(const NumberFormat& format, const UnroundedMagnitude& value,
                         Rounding rounding, Overflow overflow);

/// |value| of a finite FP32 or FP64 number as significand and exponent, exactly.
UnroundedMagnitude unrounded(double value);

}  // namespace nibblecore
