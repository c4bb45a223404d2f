// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/hif4_quantizer.hpp"

#include <array>
#include <cstring>

#include "model/common/error.hpp"
#include "model/emulate/quantize_hif4.hpp"

namespace nibblecore {
namespace {

/// Units of any values.
template <Hif4Path kPath>
struct AnyHif4Batch {
  static constexpr int kBlock = 64;
  static constexpr int kScaleBytes = kHif4ScaleBytes;

  template <int Width, ValueType kType>
  [[gnu::always_inline]] void run(const unsigned char* values, uint8_t* codes,
                                  uint8_t* scales) const {
    if (Hif4Batch<kPath>{}.template run<Width, kType>(values, codes, scales)) {
      return;
    }
    std::array<uint32_t, size_t{Width} * kBlock> finite;
    std::array<bool, Width> is_finite;
    is_finite.fill(true);
    for (size_t i = 0; i < finite.size(); ++i) {
      const uint32_t bits = fp32_bits<kType>(values, i);
      const bool counts = (bits & 0x7FFFFFFF) < uint32_t{kHif4FirstNotFinite<kPath>};
      finite[i] = counts ? bits : 0;
      is_finite[i / kBlock] = is_finite[i / kBlock] && counts;
    }
    Hif4Batch<kPath>{}.template run<Width, ValueType::kF32>(
        reinterpret_cast<const unsigned char*>(finite.data()), codes, scales);
    for (size_t unit = 0; unit < is_finite.size(); ++unit) {
      if (!is_finite[unit]) {
        scales[unit * kScaleBytes] = kE6m2Nan;
      }
    }
  }

 private:
  template <ValueType kType>
  [[gnu::always_inline]] static uint32_t fp32_bits(const unsigned char* values, size_t index) {
    if constexpr (kType == ValueType::kBf16) {
      uint16_t bits = 0;
      std::memcpy(&bits, values + 2 * index, sizeof bits);
      return bf16_to_fp32(bits);
    } else {
      uint32_t bits = 0;
      std::memcpy(&bits, values + 4 * index, sizeof bits);
      return bits;
    }
  }
};

bool has_arithmetic_of(const Hif4Rule& rule, const Hif4Rule& known) {
  return rule.input == known.input && rule.micro_product == known.micro_product &&
         rule.scaled_element == known.scaled_element && rule.rounding == known.rounding &&
         rule.zero_sign == known.zero_sign && rule.half_addition == known.half_addition &&
         rule.scale_rounding == known.scale_rounding && rule.range == known.range &&
         rule.scale_code_zero == known.scale_code_zero && rule.non_finite == known.non_finite;
}

constexpr Hif4Rule kAmctRule{Precision::kAsFp32, Precision::kAsFp32, Precision::kAsBf16,
                             Rounding::kNearestAway, ZeroSign::kPositive};
constexpr Hif4Rule kA6Rule{Precision::kAsBf16, Precision::kAsBf16, Precision::kAsBf16,
                           Rounding::kNearestEven, ZeroSign::kKept};

}  // namespace

bool has_hif4_quantizer(const Hif4Rule& rule) {
  return has_arithmetic_of(rule, kAmctRule) || has_arithmetic_of(rule, kA6Rule);
}

void quantize_hif4_span(const QuantizeSpan& span, const Hif4Rule& rule, EmulatorTarget target) {
  if (has_arithmetic_of(rule, kAmctRule)) {
    quantize_span(span, AnyHif4Batch<Hif4Path::kAmct>{}, target);
  } else if (has_arithmetic_of(rule, kA6Rule)) {
    quantize_span(span, AnyHif4Batch<Hif4Path::kA6>{}, target);
  } else {
    throw InternalError("the vectorised quantizer has no such HiF4 rule");
  }
}

}  // namespace nibblecore
