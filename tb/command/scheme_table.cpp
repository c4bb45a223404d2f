// SPDX-License-Identifier: Apache-2.0
#include "tb/command/scheme_table.hpp"

#include <array>

#include <fmt/format.h>

#include "model/machine/confidence.hpp"
#include "model/scheme/scheme.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {
namespace {

std::string text_of(const OperandTreatment& operand) {
  if (!operand.recipe) {
    return "unquantized";
  }
  const OperandRecipe& recipe = *operand.recipe;
  std::string text = fmt::format("{} {}", recipe.preset.format.name, recipe.preset.name);
  if (recipe.choices.shape == BlockShape::kSquare) {
    text += ", square";
  }
  if (recipe.hadamard) {
    constexpr std::array<const char*, 3> kSigns{"no signs", "fixed signs", "seeded signs"};
    text += fmt::format(", Hadamard {} ({})", recipe.hadamard->length,
                        kSigns.at(static_cast<size_t>(recipe.hadamard->signs)));
  }
  if (recipe.macro) {
    text += fmt::format(", {} macro blocks of {}",
                        recipe.macro->search == MacroSearch::kStatic ? "static" : "dynamic",
                        recipe.macro->length);
  }
  if (recipe.noise) {
    text += fmt::format(", noise {:.4g}", recipe.noise->sigma);
  }
  if (operand.pre_scale != 1.0F) {
    text += fmt::format(", times {} before", operand.pre_scale);
  }
  if (operand.axis == BlockAxis::kOther) {
    text += ", blocks along the other axis";
  }
  return text;
}

std::string text_of(const ResidualTreatment& residual) {
  if (residual.pattern == ResidualPattern::kNone) {
    return "";
  }
  return fmt::format("{}{}", name_of(residual.pattern),
                     residual.alpha ? fmt::format(", alpha {}", *residual.alpha) : "");
}

std::string text_of(const Scheme& scheme) {
  std::string text = fmt::format("{}: {}\nsource: {} ({})\n", scheme.name, scheme.description,
                                 scheme.source, confidence_record(scheme.confidence).meaning);
  TextTable table({"phase", "gemm", "layer", "A", "B", "residual of A"});
  for (const SchemeRule& rule : scheme.rules) {
    table.add_row({rule.phase.empty() ? "any" : rule.phase,
                   rule.kind ? std::string(name_of(*rule.kind)) : "any",
                   rule.layer.empty() ? "any" : rule.layer, text_of(rule.treatment.a),
                   text_of(rule.treatment.b), text_of(rule.treatment.residual)});
  }
  text += table.text();
  for (const std::string& note : scheme.notes) {
    text += "note: " + note + "\n";
  }
  return text;
}

}  // namespace

std::string scheme_table() {
  std::string text;
  for (const Scheme& scheme : built_in_schemes()) {
    text += (text.empty() ? "" : "\n") + text_of(scheme);
  }
  return text;
}

}  // namespace nibblecore::tb
