// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/mxfp4_peer_elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "model/common/bits.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/fp32.hpp"
#include "model/quantize/element_rounding.hpp"
#include "model/quantize/mxfp4_log2f.hpp"
#include "model/quantize/mxfp4_peer_scale.hpp"

namespace nibblecore {
namespace {

constexpr uint8_t kSign = 8;
constexpr uint8_t kLargestMagnitude = 7;

uint8_t with_sign(uint8_t magnitude, bool negative) {
  return static_cast<uint8_t>(magnitude | (negative ? kSign : 0));
}

/// The peer's rounding of NaN bits as if they were a number, without a check for overflow.
uint8_t nan_element_code(float value) {
  const uint32_t quiet = (float_bits(value) & ~kFp32SignBit) | 0x400000;
  const uint32_t rounded = quiet - 0x3F000000 + 0x1FFFFF + ((quiet >> 22) & 1);
  return with_sign(static_cast<uint8_t>((rounded >> 22) & 7), std::signbit(value));
}

/// Under a scale that is zero or infinite the peer multiplies by 0: an infinity becomes the NaN of
/// negative sign that x86 makes, and NaN saturates.
uint8_t code_times_zero(float value) {
  if (std::isinf(value)) {
    return kSign | kLargestMagnitude;
  }
  return with_sign(std::isnan(value) ? kLargestMagnitude : uint8_t{0}, std::signbit(value));
}

/// The first code whose value differs least from `value` in FP32; comparisons with NaN fail.
uint8_t code_of_smallest_error(float value, uint8_t scale) {
  const float half = std::ldexp(1.0F, scale - 128);
  uint8_t best = 0;
  float least = std::fabs(0.0F - value);
  for (size_t code = 1; code < kE2m1Doubled.size(); ++code) {
    const float error = std::fabs(static_cast<float>(kE2m1Doubled[code]) * half - value);
    if (error < least) {
      least = error;
      best = static_cast<uint8_t>(code);
    }
  }
  return best;
}

/// Rounds to one mantissa bit by an FP32 addition of half, as the peer does for any format.
uint8_t code_by_half_add(float magnitude, Rounding rounding) {
  if (magnitude == 0) {
    return 0;
  }
  const int exponent = std::max(0, floor_log2f(magnitude));
  const float significand = std::ldexp(magnitude, 1 - exponent);
  float rounded = std::floor(significand);
  if (rounding != Rounding::kTowardZero) {
    rounded = std::floor(significand + 0.5F);
    const bool tie_of_even = std::fmod(significand - 0.5F, 2.0F) == 0;
    if (rounding == Rounding::kNearestEven && tie_of_even) {
      rounded -= 1;
    }
  }
  return e2m1_rounding(Rounding::kTowardZero).code(std::ldexp(rounded, exponent - 1));
}

/// One element under a scale that is a positive number.
class ElementUnderNumber {
 public:
  ElementUnderNumber(uint8_t scale, const Mxfp4Rule& rule)
      : scale_(scale), rule_(rule), rounding_(e2m1_rounding(rule.rounding)) {}

  uint8_t code(float value) const {
    if (has(Mxfp4Quirk::kSmallestFp32Error)) {
      return code_of_smallest_error(value, scale_);
    }
    const double exact = std::ldexp(std::fabs(double{value}), 127 - scale_);
    const float scaled = has(Mxfp4Quirk::kFp32Scale) ? std::fabs(value) / mxfp4_fp32_scale(scale_)
                                                     : static_cast<float>(exact);
    const uint8_t magnitude = magnitude_code(exact, scaled);
    return with_sign(magnitude,
                     std::signbit(value) && !(magnitude == 0 && zero_is_positive(value, scaled)));
  }

 private:
  bool has(Mxfp4Quirk quirk) const { return rule_.quirks.has(quirk); }

  uint8_t magnitude_code(double exact, float scaled) const {
    if (has(Mxfp4Quirk::kFp32HalfAdd)) {
      return code_by_half_add(scaled, rule_.rounding);
    }
    return rounding_.code(has(Mxfp4Quirk::kFp32Scale) ? double{scaled} : exact);
  }

  bool zero_is_positive(float value, float scaled) const {
    return has(Mxfp4Quirk::kPositiveZero) || (has(Mxfp4Quirk::kMinusZeroPositive) && value == 0) ||
           (has(Mxfp4Quirk::kUnderflowLosesSign) && value != 0 && scaled == 0);
  }

  uint8_t scale_;
  const Mxfp4Rule& rule_;
  const ElementRounding& rounding_;
};

}  // namespace

void mxfp4_peer_codes(const float* values, int size, uint8_t scale, const Mxfp4Rule& rule,
                      uint8_t* codes) {
  const Mxfp4Quirks quirks = rule.quirks;
  const bool infinite = scale == kE8m0Nan && quirks.has(Mxfp4Quirk::kInfiniteScale);
  const bool zero = scale == 0 && quirks.has(Mxfp4Quirk::kCodeZeroIsZero);
  if (infinite || zero) {
    std::transform(values, values + size, codes, code_times_zero);
  } else if (scale == kE8m0Nan && !quirks.has(Mxfp4Quirk::kUint8Wrap)) {
    std::transform(values, values + size, codes, [&](float value) {
      const bool own_code = std::isnan(value) && quirks.has(Mxfp4Quirk::kNanElementCodes);
      return own_code ? nan_element_code(value) : rule.code_under_nan;
    });
  } else {
    const ElementUnderNumber element(scale, rule);
    std::transform(values, values + size, codes, [&](float value) { return element.code(value); });
  }
}

}  // namespace nibblecore
