// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/hif4.hpp"

#include <algorithm>
#include <cmath>

#include "model/formats/bf16.hpp"
#include "model/formats/e6m2.hpp"
#include "model/quantize/element_rounding.hpp"
#include "model/quantize/hif4_inputs.hpp"
#include "model/quantize/hif4_scale.hpp"

namespace nibblecore {
namespace {

float keep(float value, Precision precision) {
  return precision == Precision::kAsBf16 ? round_to_bf16(value) : value;
}

/// The product as a step of this precision keeps it.
double product(float a, float b, Precision precision) {
  return precision == Precision::kAsFp64 ? double{a} * double{b} : double{keep(a * b, precision)};
}

void set_micro_exponents(const Hif4Maxima& maxima, float reciprocal, Precision precision,
                         Hif4Unit& unit) {
  for (size_t j = 0; j < maxima.of_8.size(); ++j) {
    const int bit = product(maxima.of_8[j], reciprocal, precision) >= 4 ? 1 : 0;
    unit.e1_8 = static_cast<uint8_t>(unit.e1_8 | (bit << j));
  }
  for (size_t k = 0; k < maxima.of_4.size(); ++k) {
    const double limit = ((unit.e1_8 >> (k / 2)) & 1) != 0 ? 4.0 : 2.0;
    const int bit = product(maxima.of_4[k], reciprocal, precision) >= limit ? 1 : 0;
    unit.e1_16 = static_cast<uint16_t>(unit.e1_16 | (bit << k));
  }
}

/// Quarters of a scaled magnitude, where the half is added in FP32.
uint8_t quarters_by_fp32_addition(float scaled) {
  constexpr float kLargest = 7.0F;
  // A NaN gives 0, as ElementRounding has it.
  return static_cast<uint8_t>(std::max(0.0F, std::min(std::floor(4 * scaled + 0.5F), kLargest)));
}

void set_codes(const Hif4Inputs& inputs, float reciprocal, const Hif4Rule& rule,
               const uint16_t* random, Hif4Unit& unit) {
  constexpr std::array<float, 3> kPowers{1.0F, 0.5F, 0.25F};
  const ElementRounding& rounding = s1p2_rounding(rule.rounding);
  const bool adds_in_fp32 = rule.half_addition == HalfAddition::kInFp32;
  for (size_t i = 0; i < inputs.values.size(); ++i) {
    // Where 2^-n is applied makes no difference: the reciprocal times it is exact.
    const float factor =
        reciprocal * kPowers[static_cast<size_t>(unit.micro_exponent(static_cast<int>(i)))];
    const double scaled = product(inputs.magnitudes[i], factor, rule.scaled_element);
    const uint8_t magnitude =
        adds_in_fp32 ? quarters_by_fp32_addition(static_cast<float>(scaled))
                     : rounding.code(scaled, random == nullptr ? uint16_t{0} : random[i]);
    const bool negative =
        rule.zero_sign == ZeroSign::kKept ? std::signbit(inputs.values[i]) : inputs.values[i] < 0;
    unit.codes[i] = static_cast<uint8_t>(magnitude | (negative ? 8 : 0));
  }
}

struct QuantizedUnit {
  Hif4Unit unit;
  float scale;  ///< what the quantizer took the level-1 scale for
};

QuantizedUnit quantize_unit(const float* values, const Hif4Rule& rule, const uint16_t* random) {
  const Hif4Inputs inputs = hif4_inputs(values, rule);
  const Hif4Maxima maxima = hif4_maxima(inputs, rule.non_finite);
  const Hif4Scale scale = hif4_scale(maxima.of_all, rule);
  QuantizedUnit result{{}, scale.value};
  Hif4Unit& unit = result.unit;
  unit.e6m2 = scale.code;
  if (std::isnan(scale.reciprocal) ||
      (scale.code == 0 && rule.scale_code_zero == ScaleCodeZero::kZero)) {
    return result;
  }
  if (scale.has_micro_exponents) {
    set_micro_exponents(maxima, scale.reciprocal, rule.micro_product, unit);
  }
  set_codes(inputs, scale.reciprocal, rule, random, unit);
  if (!inputs.all_finite && rule.non_finite == Hif4NonFinite::kCountAsZero) {
    unit.e6m2 = kE6m2Nan;
  }
  return result;
}

/// The unit's values under a scale that its code need not hold.
void decode_with(float scale, const Hif4Unit& unit, float* decoded) {
  for (size_t i = 0; i < unit.codes.size(); ++i) {
    const int micro_exponent = unit.micro_exponent(static_cast<int>(i));
    const float magnitude = std::ldexp(static_cast<float>(unit.codes[i] & 7), micro_exponent - 2);
    decoded[i] = ((unit.codes[i] & 8) != 0 ? -magnitude : magnitude) * scale;
  }
}

}  // namespace

Hif4Unit quantize_hif4(const float* values, const Hif4Rule& rule, const uint16_t* random) {
  return quantize_unit(values, rule, random).unit;
}

void quantize_hif4_block(const BlockValues& block, const Hif4Rule& rule, const BlockCodes& result) {
  const QuantizedUnit quantized = quantize_unit(block.values, rule, block.random);
  const Hif4Unit& unit = quantized.unit;
  const auto scale = pack_hif4_scale(unit);
  std::copy(scale.begin(), scale.end(), result.scale);
  std::copy(unit.codes.begin(), unit.codes.end(), result.codes);
  if (result.decoded == nullptr) {
    return;
  }
  if (rule.range == Hif4Range::kUnbounded) {
    decode_with(quantized.scale, unit, result.decoded);
    return;
  }
  const auto decoded = decode(unit);
  std::copy(decoded.begin(), decoded.end(), result.decoded);
  if (rule.non_finite == Hif4NonFinite::kByComparison) {
    std::transform(block.values, block.values + unit.codes.size(), result.decoded, result.decoded,
                   [](float value, float known) { return std::isnan(value) ? value : known; });
  }
}

}  // namespace nibblecore
