// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/nvfp4.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/common/bits.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/ue4m3.hpp"
#include "model/quantize/element_rounding.hpp"
#include "model/quantize/magnitude_bits.hpp"

namespace nibblecore {
namespace {

constexpr size_t kBlock = 16;
constexpr uint8_t kSign = 8;

/// FP32 bits of the largest |value| that is a number.
uint32_t largest_number_bits(const float* values) {
  uint32_t largest = 0;
  for (size_t i = 0; i < kBlock; ++i) {
    const uint32_t magnitude = float_bits(values[i]) & ~kFp32SignBit;
    largest = fp32_is_nan(magnitude) ? largest : std::max(largest, magnitude);
  }
  return largest;
}

void set_codes_by_reciprocal(const BlockValues& block, float step, Rounding rounding,
                             uint8_t* codes) {
  constexpr float kLargestFp32 = std::numeric_limits<float>::max();
  const float reciprocal = 1 / step;
  const float factor = reciprocal > kLargestFp32 ? kLargestFp32 : reciprocal;
  const ElementRounding& elements = e2m1_rounding(rounding);
  for (int i = 0; i < kNvfp4.block; ++i) {
    const float scaled = block.values[i] * factor;
    // The cast compares with thresholds, so -0 and NaN become code 0 while a negative product
    // that rounds to zero becomes code 8.
    const uint8_t sign = scaled < 0 ? kSign : 0;
    codes[i] = static_cast<uint8_t>(elements.code(std::fabs(scaled), random_bits(block, i)) | sign);
  }
}

void set_codes_by_quotient(const BlockValues& block, float scale, double divisor, Rounding rounding,
                           uint8_t* codes) {
  const ElementRounding& elements = e2m1_rounding(rounding);
  for (int i = 0; i < kNvfp4.block; ++i) {
    const double value = double{block.values[i]} / divisor;
    // A scale of 0 divides as 2^-1000.
    const double quotient = std::fabs(value) / (scale == 0 ? 0x1p-1000 : double{scale});
    const uint8_t sign = value < 0 ? kSign : 0;
    codes[i] = static_cast<uint8_t>(elements.code(quotient, random_bits(block, i)) | sign);
  }
}

void set_codes_by_least_error(const BlockValues& block, float scale, uint8_t* codes) {
  const float half_scale = scale / 2;
  for (size_t i = 0; i < kBlock; ++i) {
    const float magnitude = std::fabs(block.values[i]);
    uint8_t best = 0;
    float least_error = magnitude;
    // Codes of the other sign are no nearer than 0, which comes first.
    for (size_t code = 1; code < kE2m1Doubled.size() / 2; ++code) {
      const float error =
          std::fabs(static_cast<float>(kE2m1Doubled[code]) * half_scale - magnitude);
      if (error < least_error) {
        least_error = error;
        best = static_cast<uint8_t>(code);
      }
    }
    codes[i] = static_cast<uint8_t>(best | (best != 0 && block.values[i] < 0 ? kSign : 0));
  }
}

void set_codes(const BlockValues& block, const Nvfp4Rule& rule, const Nvfp4TensorScale& tensor,
               uint8_t scale_code, uint8_t* codes) {
  const float scale = ue4m3_to_fp32(scale_code);
  switch (rule.element) {
    case Nvfp4ElementRule::kFp32Reciprocal:
      return set_codes_by_reciprocal(block, scale * tensor.decode, rule.rounding, codes);
    case Nvfp4ElementRule::kFp64Quotient:
      return set_codes_by_quotient(block, scale, nvfp4_tensor_divisor(tensor), rule.rounding,
                                   codes);
    case Nvfp4ElementRule::kLeastFp32Error:
      return set_codes_by_least_error(block, scale, codes);
  }
}

/// Sum of absolute errors as TransformerEngine's 4over6 kernel adds it, in FP32 and in this order.
float absolute_error(const BlockValues& block, const Nvfp4TensorScale& tensor, uint8_t scale_code,
                     const uint8_t* codes) {
  float sum = 0;
  for (size_t i = 0; i < kBlock; ++i) {
    const float decoded =
        decode_e2m1(codes[i], scale_code, kUe4m3Format) * tensor.largest / 2688.0F;
    sum += std::fabs(decoded - block.values[i]);
  }
  return sum;
}

/// Takes 4over6's scale for a maximum of 4 where it leaves less error.
void try_scale_of_four(const BlockValues& block, const Nvfp4Rule& rule,
                       const Nvfp4TensorScale& tensor, const BlockCodes& result) {
  const uint8_t scale = nvfp4_scale_of_four(bits_float(block.largest), tensor);
  std::array<uint8_t, kBlock> codes{};
  set_codes(block, rule, tensor, scale, codes.data());
  if (absolute_error(block, tensor, scale, codes.data()) <
      absolute_error(block, tensor, *result.scale, result.codes)) {
    *result.scale = scale;
    std::copy(codes.begin(), codes.end(), result.codes);
  }
}

void decode_block(const BlockValues& block, const Nvfp4Rule& rule, const Nvfp4TensorScale& tensor,
                  const BlockCodes& result) {
  const bool in_fp64 = rule.tensor == Nvfp4TensorRule::kDivisor;
  const bool infinity_is_nan = rule.element == Nvfp4ElementRule::kFp64Quotient;
  const E2m1Values decoded(*result.scale, kUe4m3Format);
  for (int i = 0; i < kNvfp4.block; ++i) {
    const float product = decoded[result.codes[i]];
    result.decoded[i] = in_fp64 ? static_cast<float>(double{product} * nvfp4_tensor_divisor(tensor))
                                : product * tensor.decode;
    if (infinity_is_nan && std::isinf(block.values[i])) {
      result.decoded[i] = bits_float(kFp32Nan);
    }
  }
}

}  // namespace

void quantize_nvfp4_block(const BlockValues& block, const Nvfp4Rule& rule,
                          const Nvfp4TensorScale& tensor_scale, const BlockCodes& result) {
  const bool overlooks_nan =
      rule.scale == Nvfp4ScaleRule::kHalfUpSixth && fp32_is_nan(block.largest);
  const uint32_t largest = overlooks_nan ? largest_number_bits(block.values) : block.largest;
  *result.scale = nvfp4_block_scale(bits_float(largest), rule, tensor_scale);
  set_codes(block, rule, tensor_scale, *result.scale, result.codes);
  if (rule.scale == Nvfp4ScaleRule::kFourOverSix) {
    try_scale_of_four(block, rule, tensor_scale, result);
  }
  if (result.decoded != nullptr) {
    decode_block(block, rule, tensor_scale, result);
  }
}

Nvfp4Unit quantize_nvfp4(const float* values, const Nvfp4TensorScale& tensor_scale,
                         const Nvfp4Rule& rule) {
  Nvfp4Unit unit;
  quantize_nvfp4_block({values, largest_magnitude_bits(values, unit.codes.size())}, rule,
                       tensor_scale, {&unit.scale, unit.codes.data()});
  return unit;
}

}  // namespace nibblecore
