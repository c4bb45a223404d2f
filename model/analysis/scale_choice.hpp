// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "model/formats/e2m1.hpp"
#include "model/quantize/element_rounding.hpp"

namespace nibblecore {

/// How the real scale s* = m / 6 of a block (m: its largest magnitude) becomes the scale s in use.
enum class SweepScale {
  kRoundedUp,       ///< smallest number >= s* with the mantissa bits; 0 bits: MXFP4's `rceil`
  kNearest,         ///< nearest such number, ties to even
  kRoundedDown,     ///< largest such number <= s*: the block's maximum saturates
  kUnlimited,       ///< s* itself
  kBestPowerOfTwo,  ///< of 2^-2, 2^-1, 1, 2 times the rounded-up power of two, the least squared
                    ///< error; the first of equal ones
  kBestReal,        ///< the real number with the least squared error
};

struct ScaleChoice {
  SweepScale scale = SweepScale::kUnlimited;
  int mantissa_bits = 0;  ///< 0 to 23, of the three rounded scales
};

/// The scale that `choice` takes for a block of `count` finite values, not all zero.
double sweep_scale(const float* values, int count, const ScaleChoice& choice);

/// m of `count` finite values.
double block_maximum(const float* values, int count);

/// s* of a block with this m.
constexpr double ideal_e2m1_scale(double maximum) { return maximum / 6; }

/// `value` under `scale` > 0, quantized by a rounding to E2M1 and decoded.
inline double e2m1_value(double value, double scale, const ElementRounding& rounding) {
  const uint8_t code = rounding.code(std::fabs(value) / scale);
  return std::copysign(0.5 * kE2m1Doubled[code] * scale, value);
}

}  // namespace nibblecore
