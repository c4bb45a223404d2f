// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/hif4_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/common/bits.hpp"
#include "model/formats/bf16.hpp"
#include "model/formats/e6m2.hpp"

namespace nibblecore {
namespace {

/// 1/7 in BF16: the largest element of a unit with all micro-exponents set is 7 scales.
constexpr float kOneSeventh = 0.142578125F;
constexpr float kSmallestScale = 0x1p-48F;
constexpr float kLargestScale = 49152.0F;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr Hif4Scale kNanScale{kE6m2Nan, kNan, kNan};

float bf16_scale(float largest, Precision product) {
  if (product != Precision::kAsFp64 || !std::isfinite(largest)) {
    return round_to_bf16(largest * kOneSeventh);
  }
  // One rounding, where FP32 would make it two.
  const double exact = double{largest} * double{kOneSeventh};
  const uint32_t bits =
      round_magnitude(kBf16Format, unrounded(exact), Rounding::kNearestEven, Overflow::kInfinity);
  return bits_float(bf16_to_fp32(static_cast<uint16_t>(bits)));
}

/// A BF16 number >= 0 with its mantissa cut to two bits, in BF16's range.
float round_to_two_bits(float scale, Rounding rounding) {
  constexpr uint32_t kDropped = 21;  // of FP32's 23
  const uint32_t bits = float_bits(scale);
  const uint32_t half = 1U << (kDropped - 1);
  const uint32_t below_half = half - 1;
  const bool odd = ((bits >> kDropped) & 1) != 0;
  const uint32_t addend = rounding == Rounding::kNearestAway || odd ? half : below_half;
  return bits_float((bits + addend) & ~((1U << kDropped) - 1));
}

/// Exponent and mantissa of a scale of two mantissa bits as an E6M2 code, not held to eight bits.
int unbounded_code(float scale) {
  constexpr int kBiases = 127 - 48;
  return static_cast<int>(float_bits(scale) >> 21) - (kBiases << 2);
}

Hif4Scale clamped(float scale, Rounding rounding) {
  if (std::isnan(scale)) {
    return kNanScale;
  }
  const float value = round_to_two_bits(std::clamp(scale, kSmallestScale, kLargestScale), rounding);
  const auto code = static_cast<uint8_t>(unbounded_code(value));
  return {code, value, bits_float(bf16_to_fp32(e6m2_reciprocal_bf16(code)))};
}

/// A scale that is not held in E6M2's range; `code` is what stands for it.
Hif4Scale unheld(float value, int code) {
  return {static_cast<uint8_t>(code & 0xFF), value, round_to_bf16(1 / value)};
}

}  // namespace

Hif4Scale hif4_scale(float largest, const Hif4Rule& rule) {
  const float scale = bf16_scale(largest, rule.micro_product);
  switch (rule.range) {
    case Hif4Range::kClamped:
      break;
    case Hif4Range::kNan: {
      constexpr float kFirstNan = 53248.0F;  // 1.625 * 2^15
      if (!(scale >= kSmallestScale && scale < kFirstNan)) {
        return {kE6m2Nan, kNan, 1.0F, false};
      }
      break;
    }
    case Hif4Range::kUnbounded: {
      constexpr float kSmallestFinite = 0x1p-125F;  // below, 2^(2 - exponent) overflows in FP32
      if (!(scale >= kSmallestFinite && std::isfinite(scale))) {
        return kNanScale;
      }
      const float value = round_to_two_bits(scale, rule.scale_rounding);
      const int code = unbounded_code(value);
      return unheld(value, code < 0 || code > kE6m2Nan ? kE6m2Nan : code);
    }
    case Hif4Range::kWraps: {
      const float value = round_to_two_bits(scale, rule.scale_rounding);
      return unheld(value, unbounded_code(value));
    }
  }
  return clamped(scale, rule.scale_rounding);
}

}  // namespace nibblecore
