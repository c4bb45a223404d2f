// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/mxfp4_peer_scale.hpp"

#include <algorithm>
#include <cmath>

#include "model/common/bits.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/fp32.hpp"
#include "model/quantize/mxfp4.hpp"
#include "model/quantize/mxfp4_log2f.hpp"

namespace nibblecore {
namespace {

constexpr int kBias = 127;
constexpr uint8_t kLargestCode = 254;
/// 1.75 * 2^127: adding half of E2M1's last bit carries into infinity.
constexpr uint32_t kEvenOverflow = 0x7F600000;

uint8_t code_of_nan(Mxfp4Quirks quirks) {
  return quirks.has(Mxfp4Quirk::kNanRefused) || quirks.has(Mxfp4Quirk::kNanWrapsToZero) ? 0
                                                                                        : kE8m0Nan;
}

uint8_t code_of_infinity(Mxfp4Quirks quirks) {
  if (quirks.has(Mxfp4Quirk::kInfinityScale254)) {
    return kLargestCode;
  }
  return quirks.has(Mxfp4Quirk::kUint8Wrap) ? 0 : kE8m0Nan;
}

/// The exponent field of an FP32 quotient, one more above a power of two unless the rule is floor.
/// Of subnormal quotients the next power of two is 2^-127, unless all of them are bumped.
uint8_t code_of_quotient(float quotient, const Mxfp4Rule& rule) {
  const uint32_t bits = float_bits(quotient);
  const uint32_t field = bits >> 23;
  const uint32_t fraction = bits & 0x7FFFFF;
  const bool halved = field == 0 && !rule.quirks.has(Mxfp4Quirk::kSubnormalBump);
  const bool above = rule.scale != ScaleRule::kFloor && fraction > (halved ? 0x400000U : 0U);
  return static_cast<uint8_t>(field + (above ? 1 : 0));
}

uint8_t code_by_log2(uint32_t largest, const Mxfp4Rule& rule) {
  if (largest == 0) {
    return mxfp4_scale(0, rule.scale);
  }
  const int exponent = floor_log2f(bits_float(largest));
  if (rule.scale == ScaleRule::kFourThirds) {
    return static_cast<uint8_t>(std::clamp<int>(exponent + kBias, 1, kLargestCode));
  }
  const int code = exponent - 2 + kBias;
  return static_cast<uint8_t>(rule.quirks.has(Mxfp4Quirk::kUint8Wrap) ? code & 0xFF
                                                                      : std::max(0, code));
}

uint8_t code_by_log2_ceil(float largest) {
  const float sixth = largest / 6;
  return sixth == 0 ? uint8_t{0}
                    : static_cast<uint8_t>(std::clamp(ceil_log2f(sixth), -kBias, kBias) + kBias);
}

}  // namespace

uint8_t mxfp4_peer_scale(uint32_t largest, const Mxfp4Rule& rule) {
  const Mxfp4Quirks quirks = rule.quirks;
  if (fp32_is_nan(largest)) {
    return code_of_nan(quirks);
  }
  if (fp32_is_infinite(largest)) {
    return code_of_infinity(quirks);
  }
  if (quirks.has(Mxfp4Quirk::kEvenOverflowNan) && largest >= kEvenOverflow) {
    return kE8m0Nan;
  }
  const float magnitude = bits_float(largest);
  if (quirks.has(Mxfp4Quirk::kReciprocalSixth)) {
    return code_of_quotient(magnitude * (1.0F / 6.0F), rule);
  }
  if (quirks.has(Mxfp4Quirk::kFp32Quotient)) {
    return code_of_quotient(magnitude / (rule.scale == ScaleRule::kRceil ? 6.0F : 4.0F), rule);
  }
  if (quirks.has(Mxfp4Quirk::kLog2f)) {
    return code_by_log2(largest, rule);
  }
  if (quirks.has(Mxfp4Quirk::kLog2fCeil)) {
    return code_by_log2_ceil(magnitude);
  }
  return mxfp4_scale(largest, rule.scale);
}

float mxfp4_fp32_scale(uint8_t code) { return std::ldexp(1.0F, code - kBias - 2) / 0.75F; }

}  // namespace nibblecore
