// SPDX-License-Identifier: Apache-2.0
#include "model/formats/preset.hpp"

#include <algorithm>
#include <iterator>

#include "model/common/error.hpp"
#include "model/formats/preset_tables.hpp"

namespace nibblecore {
namespace {

std::vector<Preset> make_presets() {
  std::vector<Preset> all;
  for (std::vector<Preset> table : {mxfp4_presets(), hif4_presets(), nvfp4_presets()}) {
    std::move(table.begin(), table.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> records = make_presets();
  return records;
}

const Preset& preset(const BlockFormat& format, std::string_view name) {
  std::string known;
  for (const Preset& candidate : presets()) {
    if (candidate.format.name != format.name) {
      continue;
    }
    if (name.empty() || candidate.name == name || candidate.alias == name) {
      return candidate;
    }
    known += (known.empty() ? "" : ", ") + candidate.name;
    if (!candidate.alias.empty()) {
      known += ", " + std::string(candidate.alias);
    }
  }
  throw InputError("--preset", "unknown preset '" + std::string(name) + "' of " +
                                   std::string(format.name) + " (known: " + known + ")");
}

Preset mxfp4_preset(ScaleRule scale, Rounding rounding) {
  Preset result = preset(kMxfp4, name_of(scale));
  if (rounding != Rounding::kNearestEven) {
    result.name += "+" + std::string(name_of(rounding));
    result.rule = Mxfp4Rule{scale, rounding, 0};
    result.meaning = "exact scale rule with an element rounding of choice";
    result.provenance = "exact rule";
  }
  return result;
}

Preset with_rounding(Preset preset, Rounding rounding) {
  Rounding& own = std::visit([](auto& rule) -> Rounding& { return rule.rounding; }, preset.rule);
  if (own == rounding) {
    return preset;
  }
  const auto* mxfp4 = std::get_if<Mxfp4Rule>(&preset.rule);
  const auto* nvfp4 = std::get_if<Nvfp4Rule>(&preset.rule);
  if ((mxfp4 != nullptr && !mxfp4->quirks.empty()) ||
      (nvfp4 != nullptr && nvfp4->element == Nvfp4ElementRule::kLeastFp32Error)) {
    throw InputError("--rounding",
                     "preset '" + preset.name +
                         "' rounds as its peer does; take an exact rule for another rounding");
  }
  own = rounding;
  if (auto* hif4 = std::get_if<Hif4Rule>(&preset.rule)) {
    hif4->half_addition = HalfAddition::kExact;
  }
  preset.name = preset.name.substr(0, preset.name.find('+')) + "+" + std::string(name_of(rounding));
  preset.alias = {};
  return preset;
}

bool is_stochastic(const Preset& preset) {
  return std::visit([](const auto& rule) { return rule.rounding == Rounding::kStochastic; },
                    preset.rule);
}

}  // namespace nibblecore
