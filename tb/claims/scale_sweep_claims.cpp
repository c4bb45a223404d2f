// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "tb/claims/claims.hpp"

namespace nibblecore::tb {
namespace {

constexpr const char* kSource = "arXiv 2605.20402";
constexpr int kMostBits = 8;

/// Errors of one kind of data with 0 to 8 mantissa bits rounded up, and what claim 6 compares.
struct Sweep {
  std::string data;
  FigureRole role;
  std::vector<ScaleErrorSums> rounded_up;
  ScaleErrorSums down_4;
  ScaleErrorSums down_5;
  ScaleErrorSums best_real;
  ScaleErrorSums unlimited;
};

std::vector<ScaleChoice> sweep_choices() {
  std::vector<ScaleChoice> choices{{SweepScale::kRoundedDown, 4},
                                   {SweepScale::kRoundedDown, 5},
                                   {SweepScale::kBestReal, 0},
                                   {SweepScale::kUnlimited, 0}};
  for (int bits = 0; bits <= kMostBits; ++bits) {
    choices.push_back({SweepScale::kRoundedUp, bits});
  }
  return choices;
}

Sweep sweep_of(const std::string& data, FigureRole role, const std::vector<ScaleErrorSums>& sums) {
  return {data, role, {sums.begin() + 4, sums.end()}, sums[0], sums[1], sums[2], sums[3]};
}

double total_ratio(const ScaleErrorSums& a, const ScaleErrorSums& b) { return a.total / b.total; }

Claim irreducible_floor(const ClaimInputs& inputs, const std::vector<Sweep>& sweeps) {
  std::vector<Figure> figures;
  for (const Sweep& each : sweeps) {
    const double floor = each.unlimited.total;
    // One scale below the floor is enough to refute it.
    figures.push_back(
        {each.data, "best real scale / floor", each.best_real.total / floor, each.role});
    figures.push_back(
        {each.data, "k = 4 rounded down / floor", each.down_4.total / floor, FigureRole::kContext});
    figures.push_back(
        {each.data, "k = 5 rounded down / floor", each.down_5.total / floor, FigureRole::kContext});
    figures.push_back({each.data, "k = 8 rounded up / floor",
                       total_ratio(each.rounded_up.back(), each.unlimited), FigureRole::kContext});
    figures.push_back({each.data, "floor / k = 0 rounded up",
                       total_ratio(each.unlimited, each.rounded_up.front()), FigureRole::kContext});
  }
  return {6,
          "Grid and dead-zone error are an irreducible floor, the limit of the scale sweep",
          kSource,
          {{"no scale gets below the error under s* = m / 6",
            "limit of the sweep",
            {1, Interval{}.high},
            std::nullopt,
            Quantifier::kEvery,
            sampling_tolerance(inputs, 0.0004),
            std::move(figures)}}};
}

Claim scale_bits_help(const std::vector<Sweep>& sweeps) {
  std::vector<Figure> figures;
  for (const Sweep& each : sweeps) {
    double worst_step = 0;
    for (size_t bits = 0; bits + 1 < each.rounded_up.size(); ++bits) {
      worst_step =
          std::max(worst_step, each.rounded_up[bits + 1].scale / each.rounded_up[bits].scale);
    }
    figures.push_back({each.data, "scale error, largest of k + 1 over k", worst_step, each.role});
    for (const size_t bits : {size_t{1}, size_t{2}, size_t{3}, size_t{4}}) {
      figures.push_back({each.data, "total, k = " + std::to_string(bits) + " over k = 0",
                         total_ratio(each.rounded_up[bits], each.rounded_up[0]),
                         FigureRole::kContext});
    }
  }
  return {7,
          "The scale error falls with the scale's k mantissa bits, rounded up",
          kSource,
          {{"each further bit lowers it",
            "falls",
            {Interval{}.low, 1},
            std::nullopt,
            Quantifier::kEvery,
            0,
            std::move(figures)}}};
}

}  // namespace

std::vector<Claim> scale_sweep_claims(const ClaimInputs& inputs) {
  const std::vector<ScaleChoice> choices = sweep_choices();
  std::vector<Sweep> sweeps;
  for (const char* const law : {"gaussian", "t40"}) {
    sweeps.push_back(
        sweep_of(law, FigureRole::kDecides, law_errors(inputs, find_law(law), choices)));
  }
  for (const OperandGroup& group : inputs.groups) {
    sweeps.push_back(
        sweep_of(group.name, FigureRole::kContext, group_errors(inputs, group, choices)));
  }
  return {irreducible_floor(inputs, sweeps), scale_bits_help(sweeps)};
}

}  // namespace nibblecore::tb
