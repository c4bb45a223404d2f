// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/nvfp4_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/common/bits.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

constexpr float kLargestFp32 = std::numeric_limits<float>::max();
constexpr float kLargestScale = 448.0F;
constexpr float kLargestElement = 6.0F;
constexpr float kLargestProduct = kLargestScale * kLargestElement;
constexpr float kOneSixth = 1.0F / kLargestElement;

/// min(value, limit) that passes a NaN on, as tensor libraries do.
float at_most(float value, float limit) { return value > limit ? limit : value; }

uint8_t nearest_even(double value) {
  if (std::isnan(value)) {
    return kUe4m3Nan;
  }
  // Saturating is the same as holding the value to 448 first.
  return static_cast<uint8_t>(round_magnitude(
      kUe4m3Format, unrounded(value > double{kLargestScale} ? double{kLargestScale} : value),
      Rounding::kNearestEven, Overflow::kSaturate));
}

/// ggml's conversion.
uint8_t half_up(float largest) {
  const float sixth = std::min(largest / kLargestElement, kLargestScale);
  if (sixth < 0x1p-6F) {
    constexpr float kLargestSubnormal = 7.0F;
    return static_cast<uint8_t>(std::min(std::floor(sixth * 0x1p9F + 0.5F), kLargestSubnormal));
  }
  constexpr uint32_t kBiases = 127 - 7;
  constexpr uint32_t kHalf = 1U << 19;
  const uint32_t code = ((float_bits(sixth) + kHalf) >> 20) - (kBiases << 3);
  constexpr uint32_t kTopBinade = 0x78;
  return static_cast<uint8_t>(code >= kTopBinade ? kUe4m3Format.largest_code() : code);
}

/// The sixth of a block's largest magnitude as 4over6 has it, the tensor's factor last.
float sixth_last(float largest, const Nvfp4TensorScale& tensor) {
  return largest / kLargestElement * tensor.encode;
}

}  // namespace

Nvfp4TensorScale nvfp4_tensor_scale(float largest) {
  float encode = at_most(kLargestProduct / largest, kLargestFp32);
  if (encode == 0) {
    encode = 1;
  }
  return {encode, 1 / encode, largest};
}

Nvfp4TensorScale nvfp4_tensor_scale(float largest, const Nvfp4Rule& rule) {
  switch (rule.tensor) {
    case Nvfp4TensorRule::kNone:
      break;
    case Nvfp4TensorRule::kEncodeFactor:
      return nvfp4_tensor_scale(largest);
    case Nvfp4TensorRule::kDivisor:
      if (largest != 0 && !std::isinf(largest)) {
        const double divisor = double{largest} / double{kLargestProduct};
        return {static_cast<float>(1 / divisor), static_cast<float>(divisor), largest};
      }
      break;
  }
  return {1.0F, 1.0F};
}

double nvfp4_tensor_divisor(const Nvfp4TensorScale& scale) {
  return double{scale.largest} / double{kLargestProduct};
}

uint8_t ue4m3_from_fp32(float value) { return nearest_even(double{value}); }

float ue4m3_to_fp32(uint8_t code) { return static_cast<float>(decode_double(kUe4m3Format, code)); }

uint8_t nvfp4_block_scale(float largest, const Nvfp4Rule& rule, const Nvfp4TensorScale& tensor) {
  switch (rule.scale) {
    case Nvfp4ScaleRule::kFoldedSixth:
      // The formula folds 1/6 into the tensor's factor before it meets the block.
      return ue4m3_from_fp32(largest * (tensor.encode * kOneSixth));
    case Nvfp4ScaleRule::kFourOverSix:
      return ue4m3_from_fp32(sixth_last(largest, tensor));
    case Nvfp4ScaleRule::kFp64Sixth:
      return nearest_even(double{largest} / nvfp4_tensor_divisor(tensor) / double{kLargestElement});
    case Nvfp4ScaleRule::kHalfUpSixth:
      return half_up(largest);
  }
  return kUe4m3Nan;
}

uint8_t nvfp4_scale_of_four(float largest, const Nvfp4TensorScale& tensor) {
  constexpr float kSixOverFour = 1.5F;
  return ue4m3_from_fp32(sixth_last(largest, tensor) * kSixOverFour);
}

}  // namespace nibblecore
