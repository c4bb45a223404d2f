// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

/// One operand's scale, taken apart into fields: significand * 2^exponent, or NaN.
struct ScaleFields {
  int32_t significand;
  int32_t exponent;
  bool is_nan;
};

/// What a scale unit gives for a pair of blocks: the block's sum counts
/// significand * 2^exponent, or the block is NaN.
struct ScaleFactor {
  int32_t significand;
  int32_t exponent;
  bool is_nan;
};

/// Product of two scales: significands multiply, exponents add, NaN spreads.
constexpr ScaleFactor multiply(const ScaleFields& a, const ScaleFields& b) {
  return {a.significand * b.significand, a.exponent + b.exponent, a.is_nan || b.is_nan};
}

}  // namespace nibblecore::hw
