// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/mxfp4_peer_decode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/formats/e2m1.hpp"
#include "model/formats/e2m1_unit.hpp"
#include "model/formats/e8m0.hpp"
#include "model/quantize/mxfp4_peer_scale.hpp"

namespace nibblecore {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// `code`, its sign included, times an FP32 scale.
float times(uint8_t code, float scale) {
  const float magnitude = 0.5F * static_cast<float>(kE2m1Doubled[code & 7]);
  return ((code & 8) != 0 ? -magnitude : magnitude) * scale;
}

float decode(uint8_t code, uint8_t scale, Mxfp4Quirks quirks) {
  if (scale == 0 && quirks.has(Mxfp4Quirk::kCodeZeroIsZero)) {
    return times(code, 0.0F);
  }
  if (scale == kE8m0Nan && quirks.has(Mxfp4Quirk::kInfiniteScale)) {
    return times(code, kInfinity);
  }
  if (scale == kE8m0Nan && quirks.has(Mxfp4Quirk::kUint8Wrap)) {
    return 2 * times(code, 0x1p127F);
  }
  if (scale != kE8m0Nan && quirks.has(Mxfp4Quirk::kFp32Scale)) {
    return times(code, mxfp4_fp32_scale(scale));
  }
  return decode_e2m1(code, scale, kE8m0Format);
}

}  // namespace

float mxfp4_peer_decode(uint8_t code, uint8_t scale, Mxfp4Quirks quirks) {
  const float value = decode(code, scale, quirks);
  // clamp() passes a NaN on.
  return quirks.has(Mxfp4Quirk::kDecodeClamps) ? std::clamp(value, -kLargest, kLargest) : value;
}

}  // namespace nibblecore
