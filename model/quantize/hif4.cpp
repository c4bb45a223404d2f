// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/hif4.hpp"

#include <algorithm>
#include <cmath>

#include "model/common/bits.hpp"
#include "model/formats/bf16.hpp"
#include "model/formats/e6m2.hpp"
#include "model/quantize/element_rounding.hpp"

namespace nibblecore {
namespace {

/// 1/7 in BF16: the largest element of a unit with all micro-exponents set is 7 scales.
constexpr float kOneSeventh = 0.142578125F;
constexpr float kSmallestScale = 0x1p-48F;
constexpr float kLargestScale = 49152.0F;

float keep(float value, Precision precision) {
  return precision == Precision::kAsBf16 ? round_to_bf16(value) : value;
}

/// Largest magnitudes of the 16 groups of 4, the 8 groups of 8 and the unit.
struct GroupMaxima {
  std::array<float, 16> of_4{};
  std::array<float, 8> of_8{};
  float of_all = 0;
};

GroupMaxima group_maxima(const std::array<float, 64>& magnitudes) {
  GroupMaxima maxima;
  for (size_t i = 0; i < magnitudes.size(); ++i) {
    maxima.of_4[i / 4] = std::max(maxima.of_4[i / 4], magnitudes[i]);
  }
  for (size_t k = 0; k < maxima.of_4.size(); ++k) {
    maxima.of_8[k / 2] = std::max(maxima.of_8[k / 2], maxima.of_4[k]);
  }
  maxima.of_all = *std::max_element(maxima.of_8.begin(), maxima.of_8.end());
  return maxima;
}

uint8_t scale_code(float largest) {
  const float scale =
      std::clamp(round_to_bf16(largest * kOneSeventh), kSmallestScale, kLargestScale);
  return static_cast<uint8_t>(
      round_magnitude(kE6m2Format, unrounded(scale), Rounding::kNearestEven, Overflow::kSaturate));
}

void set_micro_exponents(const GroupMaxima& maxima, float reciprocal, Precision precision,
                         Hif4Unit& unit) {
  for (size_t j = 0; j < maxima.of_8.size(); ++j) {
    const int bit = keep(maxima.of_8[j] * reciprocal, precision) >= 4 ? 1 : 0;
    unit.e1_8 = static_cast<uint8_t>(unit.e1_8 | (bit << j));
  }
  for (size_t k = 0; k < maxima.of_4.size(); ++k) {
    const float limit = ((unit.e1_8 >> (k / 2)) & 1) != 0 ? 4.0F : 2.0F;
    const int bit = keep(maxima.of_4[k] * reciprocal, precision) >= limit ? 1 : 0;
    unit.e1_16 = static_cast<uint16_t>(unit.e1_16 | (bit << k));
  }
}

}  // namespace

Hif4Unit quantize_hif4(const float* values, const Hif4Rule& rule) {
  std::array<float, 64> inputs{};
  std::array<float, 64> magnitudes{};
  bool finite = true;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const float input = keep(values[i], rule.input);
    const bool is_finite = std::isfinite(input);
    finite = finite && is_finite;
    inputs[i] = is_finite ? input : 0.0F;
    magnitudes[i] = std::fabs(inputs[i]);
  }

  Hif4Unit unit;
  const GroupMaxima maxima = group_maxima(magnitudes);
  unit.e6m2 = scale_code(maxima.of_all);
  const float reciprocal = bits_float(bf16_to_fp32(e6m2_reciprocal_bf16(unit.e6m2)));
  set_micro_exponents(maxima, reciprocal, rule.micro_product, unit);

  constexpr std::array<float, 3> kPowers{1.0F, 0.5F, 0.25F};
  const ElementRounding& rounding = s1p2_rounding(rule.rounding);
  for (size_t i = 0; i < inputs.size(); ++i) {
    // Where 2^-n is applied makes no difference: the reciprocal times it is exact.
    const float factor =
        reciprocal * kPowers[static_cast<size_t>(unit.micro_exponent(static_cast<int>(i)))];
    const uint8_t magnitude = rounding.code(keep(magnitudes[i] * factor, rule.scaled_element));
    const bool negative =
        rule.zero_sign == ZeroSign::kKept ? std::signbit(inputs[i]) : inputs[i] < 0;
    unit.codes[i] = static_cast<uint8_t>(magnitude | (negative ? 8 : 0));
  }
  if (!finite) {
    unit.e6m2 = kE6m2Nan;
  }
  return unit;
}

}  // namespace nibblecore
