// SPDX-License-Identifier: Apache-2.0
#include "tb/command/preset_options.hpp"

#include "model/common/error.hpp"

namespace nibblecore::tb {

void PresetOptions::add_to(Arguments& arguments) {
  arguments.option("--format", format, "mxfp4, hif4 or nvfp4");
  arguments.optional("--preset", preset,
                     "named quantizer (list presets); default: rceil, amct, te_nvfp4");
  arguments.optional(
      "--scale-rule", scale_rule,
      "mxfp4 only: floor, ceil, even, rceil, oas, four_thirds or best_pow2; quantize "
      "also knows ideal, of all formats");
  arguments.optional("--rounding", rounding,
                     "mxfp4 only: rne (default), half_away, half_zero, toward_zero or stochastic");
}

bool PresetOptions::is_given() const {
  return format != PresetOptions().format || !preset.empty() || !scale_rule.empty() ||
         !rounding.empty();
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
  if (scale_rule == name_of(ScaleRule::kIdeal)) {
    throw InputError("--scale-rule", "'ideal' is a real number, which no block format holds");
  }
  return mxfp4_preset(nibblecore::scale_rule(scale_rule.empty() ? "rceil" : scale_rule),
                      nibblecore::rounding(rounding.empty() ? "rne" : rounding));
}

}  // namespace nibblecore::tb
