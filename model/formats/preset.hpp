// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/formats/block_format.hpp"
#include "model/formats/hif4_rule.hpp"
#include "model/formats/mxfp4_rule.hpp"
#include "model/formats/nvfp4_rule.hpp"

namespace nibblecore {

/// A named quantizer.
struct Preset {
  std::string name;
  std::string_view alias;  ///< a shorter name, or empty
  BlockFormat format;
  std::variant<Mxfp4Rule, Hif4Rule, Nvfp4Rule> rule;
  std::string_view meaning;
  std::string_view provenance;
};

/// Every preset, the default of each format first.
const std::vector<Preset>& presets();

/// The preset of `format` with this name or alias; an empty name means the format's default.
/// InputError naming the known ones otherwise.
const Preset& preset(const BlockFormat& format, std::string_view name);

/// The exact MXFP4 quantizer of any rule and rounding. Its name is the rule's, with "+rounding"
/// appended where that is not `rne`.
Preset mxfp4_preset(ScaleRule scale, Rounding rounding);

/// `preset` with another rounding of its elements, such as `kStochastic`; its name gets "+rounding"
/// appended, in place of one that it has. `preset` itself where that is its rounding. InputError
/// where the preset follows a peer's departures from the exact rules, rounding included.
Preset with_rounding(Preset preset, Rounding rounding);

/// Whether the preset needs random bits.
bool is_stochastic(const Preset& preset);

}  // namespace nibblecore
