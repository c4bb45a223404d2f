// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/quantize_span.hpp"
#include "model/formats/nvfp4_rule.hpp"

namespace nibblecore {

/// Whether there is an Nvfp4Quantizer of the rule: TransformerEngine's formula with any
/// deterministic rounding of elements.
bool has_nvfp4_quantizer(const Nvfp4Rule& rule);

/// Quantizes blocks of 16 of a tensor whose largest magnitude is known, by TransformerEngine's
/// formula (its reference quantizer), operation for operation in FP32. A tensor with a NaN has NaN
/// scales and zero codes.
class Nvfp4Quantizer {
 public:
  Nvfp4Quantizer(uint32_t largest_bits, Rounding rounding);

  /// The factor of the whole tensor, by which decoded values are multiplied.
  float tensor_scale() const { return decode_; }
  void quantize(const QuantizeSpan& span, EmulatorTarget target) const;

 private:
  Rounding rounding_;
  float encode_;
  float decode_;
  /// What elements are multiplied by under each UE4M3 code.
  std::array<float, 128> factors_{};
};

}  // namespace nibblecore
