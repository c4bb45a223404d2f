// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/reference/fp32_definition.hpp"

#include <cmath>

namespace nibblecore {
namespace {

constexpr int kPoint = 480;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr uint32_t kSign = 0x80000000;

/// The value of a magnitude pattern; infinity counts as 2^128.
FixedPoint magnitude_value(uint32_t bits) {
  const auto field = static_cast<int>(bits >> 23);
  const int64_t fraction = bits & 0x7FFFFF;
  return field == 0 ? fixed_point(fraction, -149) : fixed_point(fraction + 0x800000, field - 150);
}

/// The largest pattern whose magnitude does not exceed `magnitude`.
uint32_t pattern_below(const FixedPoint& magnitude) {
  if (magnitude >= magnitude_value(kInfinity)) {
    return kInfinity;
  }
  // Patterns order like magnitudes: low <= magnitude < high throughout.
  uint32_t low = 0;
  uint32_t high = kInfinity;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    (magnitude_value(middle) <= magnitude ? low : high) = middle;
  }
  return low;
}

}  // namespace

FixedPoint fixed_point(int64_t significand, int exponent) {
  return FixedPoint(significand) * (FixedPoint(1) << (exponent + kPoint));
}

FixedPoint fixed_point(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return value == 0 ? FixedPoint(0)
                    : fixed_point(static_cast<int64_t>(std::ldexp(fraction, 53)), exponent - 53);
}

uint32_t nearest_fp32(const FixedPoint& value) {
  if (value == 0) {
    return 0;
  }
  const uint32_t sign = value < 0 ? kSign : 0;
  const FixedPoint magnitude = value < 0 ? FixedPoint(-value) : value;
  const uint32_t low = pattern_below(magnitude);
  if (low == kInfinity) {
    return sign | kInfinity;
  }
  const FixedPoint below = magnitude - magnitude_value(low);
  const FixedPoint above = magnitude_value(low + 1) - magnitude;
  const bool take_low = below < above || (below == above && low % 2 == 0);
  return sign | (take_low ? low : low + 1);
}

uint32_t toward_zero_fp32(const FixedPoint& value) {
  return value < 0 ? kSign | pattern_below(-value) : pattern_below(value);
}

FixedPoint fp32_value(uint32_t bits) {
  const FixedPoint magnitude = magnitude_value(bits & ~kSign);
  return (bits & kSign) != 0 ? FixedPoint(-magnitude) : magnitude;
}

}  // namespace nibblecore
