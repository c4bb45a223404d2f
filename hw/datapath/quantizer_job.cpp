// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/quantizer_job.hpp"

#include <string>

#include "model/common/error.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore::hw {
namespace {

[[noreturn]] void refuse(const Preset& preset, const std::string& reason) {
  throw InputError("online quantizer", "preset '" + preset.name + "': " + reason +
                                           "; quantize this operand beforehand, as a packed one");
}

void require_format(const Preset& preset, const BlockFormat& format) {
  if (preset.format.element != format.element || preset.format.scale != format.scale ||
      preset.format.block != format.block) {
    refuse(preset, "the circuit has no blocks of " + std::to_string(preset.format.block) +
                       " under " + std::string(scale_name(preset.format.scale)) + " scales for " +
                       std::string(format.name));
  }
}

bool is_positive_number(uint32_t bits) { return bits != 0 && bits < kFp32Infinity; }

/// Whether the circuits of a format do what a rule says.
struct HasCircuit {
  bool operator()(const Mxfp4Rule& rule) const {
    return rule.quirks.empty() && rule.rounding != Rounding::kStochastic &&
           rule.scale <= ScaleRule::kOas;
  }

  bool operator()(const Hif4Rule& rule) const {
    return is_kept_in_circuit(rule.input) && is_kept_in_circuit(rule.micro_product) &&
           is_kept_in_circuit(rule.scaled_element) && rule.rounding != Rounding::kStochastic &&
           rule.half_addition == HalfAddition::kExact &&
           rule.scale_rounding == Rounding::kNearestEven && rule.range == Hif4Range::kClamped &&
           rule.scale_code_zero == ScaleCodeZero::kSmallest &&
           rule.non_finite == Hif4NonFinite::kCountAsZero;
  }

  bool operator()(const Nvfp4Rule& rule) const {
    return rule.rounding == Rounding::kNearestEven &&
           rule.tensor == Nvfp4TensorRule::kEncodeFactor &&
           rule.scale == Nvfp4ScaleRule::kFoldedSixth &&
           rule.element == Nvfp4ElementRule::kFp32Reciprocal;
  }

  static bool is_kept_in_circuit(Precision precision) { return precision != Precision::kAsFp64; }
};

/// Makes the circuit's rule of the preset's.
struct RuleOf {
  const Preset& preset;
  const Nvfp4Factors& factors;
  using Result = decltype(QuantizerJob::rule);

  Result operator()(const Mxfp4Rule& rule) const {
    require_format(preset, kMxfp4);
    if (!has_circuit(preset)) {
      refuse(preset,
             "the circuit knows the exact rules floor, ceil, even, rceil and oas with their "
             "deterministic roundings");
    }
    return rule;
  }

  Result operator()(const Hif4Rule& rule) const {
    require_format(preset, kHif4);
    if (!has_circuit(preset)) {
      refuse(preset,
             "the circuit knows HiF4 as amct and model_a6_rne have it: scales held in range and "
             "rounded to nearest even, values that are not finite counted as 0");
    }
    return rule;
  }

  Result operator()(const Nvfp4Rule& /*rule*/) const {
    require_format(preset, kNvfp4);
    if (!has_circuit(preset)) {
      refuse(preset,
             "the circuit knows TransformerEngine's NVFP4 formula with nearest-even elements");
    }
    const bool numbers = is_positive_number(factors.encode) && is_positive_number(factors.decode);
    if (!numbers && !(fp32_is_nan(factors.encode) && fp32_is_nan(factors.decode))) {
      throw InternalError("an NVFP4 tensor's factors are positive numbers or both NaN");
    }
    return factors;
  }
};

}  // namespace

bool has_circuit(const Preset& preset) { return std::visit(HasCircuit{}, preset.rule); }

QuantizerJob quantizer_job(const Preset& preset, ResidualPattern residual,
                           const Nvfp4Factors& factors) {
  return {std::visit(RuleOf{preset, factors}, preset.rule), residual};
}

}  // namespace nibblecore::hw
