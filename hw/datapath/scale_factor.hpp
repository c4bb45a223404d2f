// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

/// A scale taken apart into fields, of one operand or of a pair of blocks: what it scales counts
/// significand * 2^exponent, or is NaN.
struct ScaleFactor {
  int32_t significand;
  int32_t exponent;
  bool is_nan;
};

/// Product of two scales: significands multiply, exponents add, NaN spreads.
constexpr ScaleFactor multiply(const ScaleFactor& a, const ScaleFactor& b) {
  return {a.significand * b.significand, a.exponent + b.exponent, a.is_nan || b.is_nan};
}

}  // namespace nibblecore::hw
