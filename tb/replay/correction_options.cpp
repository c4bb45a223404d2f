// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/correction_options.hpp"

#include "model/formats/named_record.hpp"

namespace nibblecore::tb {

std::optional<MacroBlockScaling> CorrectionOptions::macro_of(OperandRole role) const {
  if (macro == MacroChoice::kNone) {
    return std::nullopt;
  }
  MacroBlockScaling scaling = macro_block;
  const bool dynamic = macro == MacroChoice::kDynamic ||
                       (macro == MacroChoice::kHybrid && role == OperandRole::kWeight);
  scaling.search = dynamic ? MacroSearch::kDynamic : MacroSearch::kStatic;
  return scaling;
}

MacroChoice macro_choice(std::string_view name) {
  return find_record(kMacroChoices, name, "--macro").choice;
}

std::string_view name_of(MacroChoice choice) {
  return kMacroChoices.at(static_cast<size_t>(choice)).name;
}

}  // namespace nibblecore::tb
