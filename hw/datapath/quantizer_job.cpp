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

/// Makes the circuit's rule of the preset's.
struct RuleOf {
  const Preset& preset;
  const Nvfp4Factors& factors;
  using Result = decltype(QuantizerJob::rule);

  Result operator()(const Mxfp4Rule& rule) const {
    require_format(preset, kMxfp4);
    return rule;
  }

  Result operator()(const Hif4Rule& rule) const {
    require_format(preset, kHif4);
    return rule;
  }

  Result operator()(const Nvfp4Rule& /*rule*/) const {
    require_format(preset, kNvfp4);
    const bool numbers = is_positive_number(factors.encode) && is_positive_number(factors.decode);
    if (!numbers && !(fp32_is_nan(factors.encode) && fp32_is_nan(factors.decode))) {
      throw InternalError("an NVFP4 tensor's factors are positive numbers or both NaN");
    }
    return factors;
  }
};

}  // namespace

QuantizerJob quantizer_job(const Preset& preset, ResidualPattern residual,
                           const Nvfp4Factors& factors) {
  return {std::visit(RuleOf{preset, factors}, preset.rule), residual};
}

}  // namespace nibblecore::hw
