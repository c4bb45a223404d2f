// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/mxfp4.hpp"

#include <algorithm>
#include <cmath>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/fp32.hpp"
#include "model/quantize/element_rounding.hpp"
#include "model/quantize/magnitude_bits.hpp"
#include "model/quantize/mxfp4_best_scale.hpp"
#include "model/quantize/mxfp4_peer.hpp"

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
    case ScaleRule::kFourThirds:
    case ScaleRule::kBestPowerOfTwo:
    case ScaleRule::kIdeal:
      break;
  }
  throw InternalError("this scale rule gives no E8M0 code from the largest magnitude alone");
}

double scale_reciprocal(uint8_t scale) { return 1.0 / decode_double(kE8m0Format, scale); }

/// 1 over the scale that elements are divided by, which is a third of the code's for kFourThirds.
/// Three times a 24-bit significand still is exact in FP64.
double element_reciprocal(uint8_t scale, ScaleRule rule) {
  return rule == ScaleRule::kFourThirds ? 3 * scale_reciprocal(scale) : scale_reciprocal(scale);
}

uint8_t block_scale(const BlockValues& block, int size, const Mxfp4Rule& rule) {
  return rule.scale == ScaleRule::kBestPowerOfTwo
             ? mxfp4_best_power_of_two(block, size, rule.rounding)
             : mxfp4_scale(block.largest, rule.scale);
}

uint8_t element_code(float value, double reciprocal, const ElementRounding& rounding,
                     uint16_t random) {
  // A 24-bit significand times a power of two, or three of them: exact in FP64, far from its
  // limits.
  const uint8_t magnitude = rounding.code(std::fabs(value) * reciprocal, random);
  return static_cast<uint8_t>(magnitude | (std::signbit(value) ? 8 : 0));
}

}  // namespace

uint8_t mxfp4_scale(uint32_t largest, ScaleRule rule) {
  if (!fp32_is_finite(largest)) {
    return kE8m0Nan;
  }
  const int exponent_field = static_cast<int>(largest >> 23);
  if (rule == ScaleRule::kFourThirds) {
    return static_cast<uint8_t>(std::max(1, exponent_field));
  }
  // The largest element, 6, has exponent 2; FP32 and E8M0 have the same bias. FP32 subnormals lie
  // below the smallest scale whatever their fraction.
  const int code = exponent_field - 2 + exponent_increment(largest & 0x7FFFFF, rule);
  return static_cast<uint8_t>(std::max(0, code));
}

uint8_t mxfp4_code(float value, uint8_t scale, Rounding rounding) {
  return element_code(value, scale_reciprocal(scale), e2m1_rounding(rounding), 0);
}

void quantize_mxfp4_block(const BlockValues& block, int size, const Mxfp4Rule& rule,
                          const BlockCodes& result) {
  if (!rule.quirks.empty()) {
    quantize_mxfp4_peer_block(block, size, rule, result);
    return;
  }
  *result.scale = block_scale(block, size, rule);
  if (*result.scale == kE8m0Nan) {
    std::fill_n(result.codes, size, rule.code_under_nan);
  } else {
    const double reciprocal = element_reciprocal(*result.scale, rule.scale);
    const ElementRounding& rounding = e2m1_rounding(rule.rounding);
    for (int i = 0; i < size; ++i) {
      result.codes[i] = element_code(block.values[i], reciprocal, rounding, random_bits(block, i));
    }
  }
  if (result.decoded != nullptr) {
    const E2m1Values decoded(*result.scale, kE8m0Format);
    for (int i = 0; i < size; ++i) {
      result.decoded[i] = decoded[result.codes[i]] * scale_factor(rule);
    }
  }
}

Mxfp4Unit quantize_mxfp4(const float* values, const Mxfp4Rule& rule) {
  Mxfp4Unit unit;
  quantize_mxfp4_block({values, largest_magnitude_bits(values, unit.codes.size())},
                       static_cast<int>(unit.codes.size()), rule, {&unit.scale, unit.codes.data()});
  return unit;
}

}  // namespace nibblecore
