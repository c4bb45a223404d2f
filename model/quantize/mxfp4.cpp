// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/mxfp4.hpp"

#include <algorithm>
#include <cmath>

#include "model/common/bits.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/fp32.hpp"
#include "model/quantize/element_rounding.hpp"
#include "model/quantize/magnitude_bits.hpp"

namespace nibblecore {
namespace {

/// 1 where the exponent of the largest magnitude moves up, given its FP32 fraction.
int exponent_increment(uint32_t fraction, ScaleRule rule) {
  switch (rule) {
    case ScaleRule::kRceil:
      return fraction > 0x400000 ? 1 : 0;  // significand above 1.5
    case ScaleRule::kFloor:
      return 0;
    case ScaleRule::kCeil:
      return fraction != 0 ? 1 : 0;
    case ScaleRule::kEven:
      return fraction >= 0x600000 ? 1 : 0;  // significand from 1.75
    case ScaleRule::kOas:
      return fraction > 0x600000 ? 1 : 0;  // significand above 1.75
  }
  return 0;
}

double scale_reciprocal(uint8_t scale) { return 1.0 / decode_double(kE8m0Format, scale); }

uint8_t element_code(float value, double reciprocal, const ElementRounding& rounding) {
  // A 24-bit significand times a power of two: exact in FP64, far from its limits.
  const uint8_t magnitude = rounding.code(std::fabs(value) * reciprocal);
  return static_cast<uint8_t>(magnitude | (std::signbit(value) ? 8 : 0));
}

}  // namespace

uint8_t mxfp4_scale(uint32_t largest, ScaleRule rule) {
  if (!fp32_is_finite(largest)) {
    return kE8m0Nan;
  }
  const int exponent_field = static_cast<int>(largest >> 23);
  // The largest element, 6, has exponent 2; FP32 and E8M0 have the same bias. FP32 subnormals lie
  // below the smallest scale whatever their fraction.
  const int code = exponent_field - 2 + exponent_increment(largest & 0x7FFFFF, rule);
  return static_cast<uint8_t>(std::max(0, code));
}

uint8_t mxfp4_code(float value, uint8_t scale, Rounding rounding) {
  return element_code(value, scale_reciprocal(scale), e2m1_rounding(rounding));
}

Mxfp4Unit quantize_mxfp4(const float* values, const Mxfp4Rule& rule) {
  Mxfp4Unit unit;
  unit.scale = mxfp4_scale(largest_magnitude_bits(values, unit.codes.size()), rule.scale);
  if (unit.scale == kE8m0Nan) {
    unit.codes.fill(rule.code_under_nan);
    return unit;
  }
  const double reciprocal = scale_reciprocal(unit.scale);
  const ElementRounding& rounding = e2m1_rounding(rule.rounding);
  for (size_t i = 0; i < unit.codes.size(); ++i) {
    unit.codes[i] = element_code(values[i], reciprocal, rounding);
  }
  return unit;
}

}  // namespace nibblecore
