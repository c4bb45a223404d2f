// SPDX-License-Identifier: Apache-2.0
#include "tb/claims/claim_operand.hpp"
#include "tb/claims/claims.hpp"

namespace nibblecore::tb {
namespace {

OperandRecipe recipe(std::optional<MacroBlockScaling> macro) {
  OperandRecipe result;
  result.preset = mxfp4_preset(ScaleRule::kRceil, Rounding::kNearestEven);
  result.macro = macro;
  return result;
}

/// Errors of plain MXFP4 `rceil`, with static and dynamic macro-block scaling, and the floor.
std::vector<double> macro_errors(const ClaimOperand& operand) {
  const MacroBlockScaling fixed;
  MacroBlockScaling dynamic;
  dynamic.search = MacroSearch::kDynamic;
  return {operand.error_of(operand.decoded(recipe(std::nullopt))),
          operand.error_of(operand.decoded(recipe(fixed))),
          operand.error_of(operand.decoded(recipe(dynamic))), operand.floor()};
}

}  // namespace

std::vector<Claim> macro_block_claims(const ClaimInputs& inputs) {
  std::vector<Figure> figures;
  std::vector<Figure> context;
  for (const OperandSet& set : operand_sets(inputs)) {
    const std::vector<double> errors = summed_errors(set, macro_errors);
    const double plain = errors[0];
    const double fixed = errors[1] / plain;
    const double dynamic = errors[2] / plain;
    const double floor = errors[3] / plain;
    figures.push_back(
        {set.data, "static, excess that is left", (fixed - floor) / (1 - floor), set.role});
    figures.push_back(
        {set.data, "dynamic, excess that is left", (dynamic - floor) / (1 - floor), set.role});
    context.push_back({set.data, "static / plain", fixed, FigureRole::kContext});
    context.push_back({set.data, "dynamic / plain", dynamic, FigureRole::kContext});
    context.push_back({set.data, "floor / plain", floor, FigureRole::kContext});
  }
  figures.insert(figures.end(), context.begin(), context.end());
  // "Near" is read as at most a tenth of the excess; in part: a tenth of it goes.
  return {{8,
           "Macro-block scaling over 128 removes the scale bias",
           "arXiv 2603.08713, 2605.20402",
           {{"of the error above the grid floor, no more than a tenth is left",
             "near the grid floor",
             {Interval{}.low, 0.1},
             Interval{Interval{}.low, 0.9},
             Quantifier::kEvery,
             sampling_tolerance(inputs, 0.003),
             std::move(figures)}}}};
}

}  // namespace nibblecore::tb
