// SPDX-License-Identifier: Apache-2.0
#include "tb/command/preset_options.hpp"

#include "model/common/error.hpp"

namespace nibblecore::tb {

void PresetOptions::add_to(CLI::App& command) {
  command.add_option("--format", format, "mxfp4, hif4 or nvfp4")->capture_default_str();
  command.add_option("--preset", preset,
                     "named quantizer (list presets); default: rceil, amct, te_nvfp4");
  command.add_option("--scale-rule", scale_rule, "mxfp4 only: floor, ceil, even, oas or rceil");
  command.add_option("--rounding", rounding,
                     "mxfp4 only: rne (default), half_away, half_zero or toward_zero");
}

Preset PresetOptions::resolve() const {
  const BlockFormat& block = block_format(format);
  if (scale_rule.empty() && rounding.empty()) {
    return nibblecore::preset(block, preset);
  }
  if (block.name != kMxfp4.name) {
    throw InputError("--scale-rule, --rounding", "only for --format mxfp4");
  }
  if (!preset.empty()) {
    throw InputError("--preset",
                     "names rule and rounding already; leave out --scale-rule and "
                     "--rounding, or it");
  }
  return mxfp4_preset(nibblecore::scale_rule(scale_rule.empty() ? "rceil" : scale_rule),
                      nibblecore::rounding(rounding.empty() ? "rne" : rounding));
}

}  // namespace nibblecore::tb
