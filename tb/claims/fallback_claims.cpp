// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "tb/claims/claim_operand.hpp"
#include "tb/claims/claims.hpp"

namespace nibblecore::tb {
namespace {

constexpr const char* kSource = "arXiv 2605.20402";

/// 1 for elements nearer to 0 than a 24th of their block's largest magnitude.
std::vector<uint8_t> dead_zone(const ClaimOperand& operand) {
  constexpr int64_t kBlock = 32;
  std::vector<uint8_t> flags;
  flags.reserve(operand.values().size());
  for (int64_t row = 0; row < operand.rows(); ++row) {
    const float* const values = operand.values().data() + row * operand.k();
    for (int64_t begin = 0; begin < operand.k(); begin += kBlock) {
      const int64_t end = std::min(operand.k(), begin + kBlock);
      double largest = 0;
      for (int64_t i = begin; i < end; ++i) {
        largest = std::max(largest, std::fabs(static_cast<double>(values[i])));
      }
      for (int64_t i = begin; i < end; ++i) {
        flags.push_back(24 * std::fabs(static_cast<double>(values[i])) < largest ? 1 : 0);
      }
    }
  }
  return flags;
}

/// Errors of MXFP4 `rceil`: plain, with the residual added whole, with half of it added, with the
/// whole added in the dead zone alone, and where Q = 0 alone.
std::vector<double> fallback_errors(const ClaimOperand& operand) {
  const Preset preset = mxfp4_preset(ScaleRule::kRceil, Rounding::kNearestEven);
  const PackedMatrix packed = quantize(operand.view(), preset, operand.threads());
  const std::vector<float> main = dequantized(packed);
  const std::vector<float> residual =
      dequantized(quantize_residual(operand.view(), packed, preset, operand.threads()));
  const std::vector<uint8_t> in_dead_zone = dead_zone(operand);
  const auto error = [&](auto alpha_of) {
    return operand.squares(
        [&](size_t i) { return main[i] + alpha_of(i) * residual[i] - operand.values()[i]; });
  };
  return {error([](size_t) { return 0.0; }), error([](size_t) { return 1.0; }),
          error([](size_t) { return 0.5; }),
          error([&](size_t i) { return in_dead_zone[i] != 0 ? 1.0 : 0.0; }),
          error([&](size_t i) { return main[i] == 0 ? 1.0 : 0.0; })};
}

}  // namespace

std::vector<Claim> fallback_claims(const ClaimInputs& inputs) {
  std::vector<Figure> recovered;
  std::vector<Figure> ratio;
  for (const OperandSet& set : operand_sets(inputs)) {
    const std::vector<double> errors = summed_errors(set, fallback_errors);
    const double plain = errors[0];
    recovered.push_back({set.data, "gain from the dead zone / whole gain",
                         (plain - errors[3]) / (plain - errors[1]), set.role});
    recovered.push_back(
        {set.data, "dead zone recovered: error / plain", errors[3] / plain, FigureRole::kContext});
    recovered.push_back({set.data, "where Q = 0 recovered: error / plain", errors[4] / plain,
                         FigureRole::kContext});
    ratio.push_back({set.data, "error at .5 / error at 1", errors[2] / errors[1], set.role});
    ratio.push_back({set.data, "error at .5 / plain", errors[2] / plain, FigureRole::kContext});
    ratio.push_back({set.data, "error at 1 / plain", errors[1] / plain, FigureRole::kContext});
  }
  return {{9,
           "Outlier fallback works by recovering the dead zone",
           kSource,
           {{"nine tenths of its gain in squared error, or more, come from there",
             "recovers the dead zone",
             {0.9, Interval{}.high},
             Interval{0.5, Interval{}.high},
             Quantifier::kEvery,
             sampling_tolerance(inputs, 0.001),
             std::move(recovered)}}},
          {10,
           "Outlier fallback with alpha .5 is better than with 1",
           kSource,
           {{"in squared error (published: in accuracy after training)",
             "best at .5",
             {Interval{}.low, 1},
             std::nullopt,
             Quantifier::kEvery,
             sampling_tolerance(inputs, 0.03),
             std::move(ratio)}}}};
}

}  // namespace nibblecore::tb
