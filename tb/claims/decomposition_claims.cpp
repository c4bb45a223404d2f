// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "tb/claims/claims.hpp"
#include "tb/replay/share.hpp"

namespace nibblecore::tb {
namespace {

constexpr const char* kSource = "arXiv 2605.20402";

/// MXFP4 `rceil` on one kind of data.
struct Decomposed {
  std::string data;
  FigureRole role;
  ScaleErrorSums sums;
};

/// Trained weights lie between Gaussian and t40; the heavier tails are outside of what the paper
/// decomposes, the trace's operands are those of a tiny model.
std::vector<Decomposed> decompose_all(const ClaimInputs& inputs) {
  constexpr ScaleChoice kRceil{SweepScale::kRoundedUp, 0};
  std::vector<Decomposed> all;
  for (const auto& [name, role] :
       {std::pair<const char*, FigureRole>{"gaussian", FigureRole::kDecides},
        {"t40", FigureRole::kDecides},
        {"t12", FigureRole::kWidens},
        {"t4", FigureRole::kWidens}}) {
    all.push_back({name, role, law_errors(inputs, find_law(name), {kRceil})[0]});
  }
  for (const OperandGroup& group : inputs.groups) {
    all.push_back({group.name, FigureRole::kContext, group_errors(inputs, group, {kRceil})[0]});
  }
  return all;
}

using Measure = std::function<double(const ScaleErrorSums&)>;

std::vector<Figure> figures(const std::vector<Decomposed>& all, const std::string& name,
                            const Measure& measure) {
  std::vector<Figure> result;
  result.reserve(all.size());
  for (const Decomposed& each : all) {
    result.push_back({each.data, name, measure(each.sums), each.role});
  }
  return result;
}

/// 1.44 means 1.435 to 1.445.
Statement published_value(const std::string& text, const std::string& published, double value,
                          double last_digit, double tolerance, std::vector<Figure> computed) {
  return {
      text,      published,          rounds_to(value, last_digit), std::nullopt, Quantifier::kRange,
      tolerance, std::move(computed)};
}

Claim energy_shares(const ClaimInputs& inputs, const std::vector<Decomposed>& all) {
  const auto of_total = [&](double ScaleErrorSums::*part) {
    return [part](const ScaleErrorSums& sums) { return sums.*part / sums.total; };
  };
  return {
      1,
      "Energies of the scale, grid and dead-zone errors over that of the whole",
      kSource,
      {published_value("scale error", "1.72", 1.72, 0.01, sampling_tolerance(inputs, 0.0028),
                       figures(all, "scale / total", of_total(&ScaleErrorSums::scale))),
       published_value("grid error", ".71", 0.71, 0.01, sampling_tolerance(inputs, 0.0016),
                       figures(all, "grid / total", of_total(&ScaleErrorSums::grid))),
       published_value("dead-zone error", ".02", 0.02, 0.01, sampling_tolerance(inputs, 0.00012),
                       figures(all, "dead zone / total", of_total(&ScaleErrorSums::dead_zone)))}};
}

Claim scale_opposes_grid(const ClaimInputs& inputs, const std::vector<Decomposed>& all) {
  return {2,
          "Scale and grid errors partly cancel",
          kSource,
          {published_value("cosine of the angle between them", "-.66", -0.66, 0.01,
                           sampling_tolerance(inputs, 0.0007),
                           figures(all, "cosine", [](const ScaleErrorSums& sums) {
                             return sums.scale_grid_cosine();
                           }))}};
}

Claim dead_zone_is_orthogonal(std::vector<Decomposed> all) {
  // True of every block, so of any data.
  for (Decomposed& each : all) {
    each.role = FigureRole::kDecides;
  }
  return {3,
          "The dead-zone error is orthogonal to both others",
          kSource,
          {{"scale times dead-zone error (grid and dead zone have no element in common)",
            "0",
            {0, 0},
            std::nullopt,
            Quantifier::kEvery,
            0,
            figures(all, "inner product / total", [](const ScaleErrorSums& sums) {
              return sums.scale_dead_zone / sums.total;
            })}}};
}

Claim mean_gamma(const ClaimInputs& inputs, const std::vector<Decomposed>& all) {
  const std::vector<Figure> gamma = figures(all, "mean of s / s*", [](const ScaleErrorSums& sums) {
    return sums.gamma / static_cast<double>(sums.blocks);
  });
  const double tolerance = sampling_tolerance(inputs, 0.001);
  return {4,
          "Rounding the scale up makes it too large on average (1 / ln 2 = 1.4427 where the "
          "maxima are uniform in their octave)",
          kSource,
          {published_value("by 44 %", "about 44 %", 1.44, 0.01, tolerance, gamma),
           published_value("by 54 %", "1.54 in one version", 1.54, 0.01, tolerance, gamma)}};
}

Claim dead_zone_share(const ClaimInputs& inputs, const std::vector<Decomposed>& all) {
  std::vector<Figure> computed = figures(all, "|x| < m / 24", [](const ScaleErrorSums& sums) {
    return share(sums.in_dead_zone, sums.elements);
  });
  for (const Decomposed& each : all) {
    computed.push_back(
        {each.data, "Q = 0", share(each.sums.zeros, each.sums.elements), FigureRole::kContext});
  }
  return {5,
          "Share of the weights in the dead zone",
          kSource,
          {published_value("about 9 %", ".09", 0.09, 0.01, sampling_tolerance(inputs, 0.00025),
                           std::move(computed))}};
}

Claim gamma_as_gain(const ClaimInputs& inputs, const std::vector<Decomposed>& all) {
  return {15,
          "gamma multiplies activations and gradients layer by layer",
          kSource,
          {published_value("a dequantized operand is gamma times the original, <Q,x> / <x,x>",
                           "product of gamma", 1.44, 0.01, sampling_tolerance(inputs, 0.0002),
                           figures(all, "gain", [](const ScaleErrorSums& sums) {
                             return sums.gain / sums.signal;
                           }))}};
}

}  // namespace

std::vector<Claim> decomposition_claims(const ClaimInputs& inputs) {
  const std::vector<Decomposed> all = decompose_all(inputs);
  return {energy_shares(inputs, all), scale_opposes_grid(inputs, all), dead_zone_is_orthogonal(all),
          mean_gamma(inputs, all),    dead_zone_share(inputs, all),    gamma_as_gain(inputs, all)};
}

}  // namespace nibblecore::tb
