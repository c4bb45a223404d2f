// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/sparsify.hpp"
#include "tb/claims/claim_operand.hpp"
#include "tb/claims/claims.hpp"

namespace nibblecore::tb {
namespace {

/// Errors without a residual, with a dense one, with a 2:4 one.
std::vector<double> residual_errors(const ClaimOperand& operand, const Preset& preset) {
  const PackedMatrix packed = quantize(operand.view(), preset, operand.threads());
  const PackedMatrix residual =
      quantize_residual(operand.view(), packed, preset, operand.threads());
  const std::vector<float> main = dequantized(packed);
  const std::vector<float> dense = dequantized(residual);
  const std::vector<float> sparse =
      dequantized(sparsify(residual, ResidualPattern::kTwoOfFour, operand.threads()));
  const auto error_with = [&](const std::vector<float>& added) {
    return operand.squares([&](size_t i) {
      return (static_cast<double>(main[i]) - operand.values()[i]) + static_cast<double>(added[i]);
    });
  };
  return {operand.error_of(main), error_with(dense), error_with(sparse)};
}

}  // namespace

std::vector<Claim> residual_claims(const ClaimInputs& inputs) {
  const std::vector<Preset> formats{mxfp4_preset(ScaleRule::kRceil, Rounding::kNearestEven),
                                    preset(kHif4, "")};
  std::vector<Figure> kept;
  std::vector<Figure> context;
  for (const OperandSet& set : operand_sets(inputs)) {
    for (const Preset& format : formats) {
      const std::vector<double> errors = summed_errors(
          set, [&](const ClaimOperand& operand) { return residual_errors(operand, format); });
      const double plain = errors[0];
      const std::string name(format.format.name);
      kept.push_back({set.data, name + ", 2:4's gain / dense gain",
                      (plain - errors[2]) / (plain - errors[1]), set.role});
      context.push_back(
          {set.data, name + ", 2:4: error / plain", errors[2] / plain, FigureRole::kContext});
      context.push_back(
          {set.data, name + ", dense: error / plain", errors[1] / plain, FigureRole::kContext});
    }
  }
  kept.insert(kept.end(), context.begin(), context.end());
  return {{14,
           "A 2:4 residual keeps most of what a dense one gives",
           "arXiv 2607.26515",
           {{"more than half of the gain in squared error (published: in accuracy)",
             "near dense",
             {0.5, Interval{}.high},
             std::nullopt,
             Quantifier::kEvery,
             sampling_tolerance(inputs, 0.0005),
             std::move(kept)}}}};
}

}  // namespace nibblecore::tb
