// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/rounding.hpp"

namespace nibblecore {

/// Precision in which a step of the HiF4 quantizer keeps its result.
enum class Precision {
  kAsFp32,
  kAsBf16,
  kAsFp64,  ///< holds every product of the quantizer exactly
};

/// What a HiF4 quantizer does with inputs that are -0.
enum class ZeroSign { kKept, kPositive };

/// How the half is added where rounding to quarters is floor(quarters + 1/2).
enum class HalfAddition {
  kExact,
  kInFp32,  ///< the sum is rounded to FP32, so that the number below 1/2 goes up
};

/// What becomes of a level-1 scale S outside E6M2's range, [2^-48, 49152].
enum class Hif4Range {
  kClamped,  ///< held within it; a NaN makes the code NaN and every other field 0
  /// S < 2^-48, from 1.625 * 2^15 up, or NaN makes the code NaN and the micro-exponents 0; elements
  /// are rounded as under a scale of 1
  kNan,
  /// the unit is computed with S, of any exponent down to -125, and decoded with it; the code,
  /// which cannot hold it, is NaN. Below 2^-125, and where S is not finite, every other field is 0
  /// and the unit decodes to NaN
  kUnbounded,
  kWraps,  ///< the unit is computed with S, but its code is cut to eight bits (a NaN's is C2)
};

/// What scale code 00 stands for.
enum class ScaleCodeZero {
  kSmallest,  ///< 2^-48
  kZero,      ///< nothing: every field of the unit is 0
};

/// What inputs that are not finite (after rounding to the input's precision) do.
enum class Hif4NonFinite {
  kCountAsZero,  ///< they count as 0 and make the code NaN; the other fields stay as computed
  kNanMaximum,   ///< they make the unit's largest magnitude NaN
  kTakePart,     ///< in the arithmetic; a NaN is the unit's largest magnitude
  /// in the arithmetic, with maxima taken by `greater than`: a NaN is the largest magnitude only
  /// where it is the first of its chain of comparisons; elsewhere it alone decodes to NaN, as code
  /// 0
  kByComparison,
};

/// What arXiv 2602.11287, Algorithm 1, leaves open.
struct Hif4Rule {
  Precision input;  ///< inputs are first rounded to this: FP32 or BF16
  /// largest magnitudes times 1/7, and times the reciprocal for the micro-exponents
  Precision micro_product;
  Precision scaled_element;  ///< element times reciprocal * 2^-n, before rounding to quarters
  Rounding rounding;         ///< to quarters
  ZeroSign zero_sign;
  HalfAddition half_addition = HalfAddition::kExact;
  /// of the BF16 scale to two mantissa bits: kNearestEven, or kNearestAway ("half up")
  Rounding scale_rounding = Rounding::kNearestEven;
  Hif4Range range = Hif4Range::kClamped;
  ScaleCodeZero scale_code_zero = ScaleCodeZero::kSmallest;
  Hif4NonFinite non_finite = Hif4NonFinite::kCountAsZero;
};

}  // namespace nibblecore
