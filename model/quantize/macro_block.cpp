// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/macro_block.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/fp16.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/hif4_unit.hpp"
#include "model/formats/rounding.hpp"
#include "model/quantize/magnitude_bits.hpp"
#include "model/quantize/quantize_block.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kShortestMacroBlock = 32;
constexpr int64_t kLongestMacroBlock = 512;

}  // namespace

void require_macro_block(const MacroBlockScaling& scaling, const Preset& preset, BlockShape shape) {
  const std::string place = "macro-block scaling";
  if (preset.format.scale == ScaleKind::kUe4m3) {
    throw InputError(place, std::string(preset.format.name) +
                                " takes none: its scales have a mantissa of their own");
  }
  if (shape == BlockShape::kSquare) {
    throw InputError(place, "square blocks take none: the rows of a tile would differ in factor");
  }
  if (scaling.length < kShortestMacroBlock || scaling.length > kLongestMacroBlock ||
      scaling.length % preset.format.block != 0) {
    throw InputError(place, "length " + std::to_string(scaling.length) +
                                " is no multiple of the block, " +
                                std::to_string(preset.format.block) + ", within 32..512");
  }
  if (scaling.mantissa_bits < 1 || scaling.mantissa_bits > 16) {
    throw InputError(place,
                     std::to_string(scaling.mantissa_bits) + " mantissa bits are not within 1..16");
  }
  if (scaling.candidates < 2 || scaling.candidates > 64) {
    throw InputError(place,
                     std::to_string(scaling.candidates) + " candidates are not within 2..64");
  }
}

float static_multiplier(uint32_t largest, int mantissa_bits) {
  if (largest == 0 || !fp32_is_finite(largest)) {
    return 1;
  }
  const float a = bits_float(largest);
  const uint32_t fraction = float_bits(6.0F / a) & 0x7FFFFF;
  const uint32_t kept = fraction >> (23 - mantissa_bits);
  const float c = 1.0F + std::ldexp(static_cast<float>(kept), -mantissa_bits);
  return std::isfinite(c * a) ? c : 1.0F;
}

float macro_factor(float multiplier) {
  // c has at most 17 bits, so 1/c in FP64 lies on the same side of every limit between FP16
  // numbers.
  const uint32_t code = round_magnitude(kFp16Format, unrounded(1.0 / multiplier),
                                        Rounding::kNearestEven, Overflow::kSaturate);
  return static_cast<float>(decode_double(kFp16Format, code));
}

MacroMultipliers::MacroMultipliers(const MacroBlockScaling& scaling, const Preset& preset,
                                   const Nvfp4TensorScale& tensor_scale)
    : scaling_(scaling),
      preset_(is_stochastic(preset) ? with_rounding(preset, Rounding::kNearestEven) : preset),
      tensor_scale_(tensor_scale) {
  require_macro_block(scaling, preset, BlockShape::kRow);
}

void MacroMultipliers::find(int64_t k, const float* values, float* multipliers) const {
  for (int64_t first = 0; first < k; first += scaling_.length) {
    const int64_t count = std::min(scaling_.length, k - first);
    const uint32_t largest = largest_magnitude_bits(values + first, static_cast<size_t>(count));
    float& multiplier = multipliers[first / scaling_.length];
    if (scaling_.search == MacroSearch::kStatic) {
      multiplier = static_multiplier(largest, scaling_.mantissa_bits);
    } else {
      multiplier = fp32_is_finite(largest) ? dynamic_multiplier(values + first, count) : 1.0F;
    }
  }
}

float MacroMultipliers::dynamic_multiplier(const float* values, int64_t count) const {
  float best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (int j = 0; j < scaling_.candidates; ++j) {
    const float c = 1.0F + static_cast<float>(j) / static_cast<float>(scaling_.candidates);
    const double error = squared_error(values, count, c);
    if (error < least) {
      least = error;
      best = c;
    }
  }
  return best;
}

double MacroMultipliers::squared_error(const float* values, int64_t count, float c) const {
  const int64_t length = preset_.format.block;
  const float factor = macro_factor(c);
  std::array<uint8_t, kLongestBlock> codes{};
  std::array<uint8_t, kHif4ScaleBytes> scale{};
  std::array<float, kLongestBlock> decoded{};
  double sum = 0;
  for (int64_t first = 0; first < count; first += length) {
    const auto size = static_cast<size_t>(std::min(length, count - first));
    std::array<float, kLongestBlock> scaled{};
    std::transform(values + first, values + first + size, scaled.begin(),
                   [&](float value) { return c * value; });
    quantize_block({scaled.data(), largest_magnitude_bits(scaled.data(), size)}, preset_,
                   tensor_scale_, {scale.data(), codes.data(), decoded.data()});
    for (size_t i = 0; i < size; ++i) {
      const float value = decoded[i] * factor;
      const double error = static_cast<double>(value) - values[first + static_cast<int64_t>(i)];
      sum += error * error;
    }
  }
  return sum;
}

void multiply_macro_blocks(const float* numbers, int64_t length, int64_t k, float* values) {
  for (int64_t i = 0; i < k; ++i) {
    values[i] *= numbers[i / length];
  }
}

}  // namespace nibblecore
