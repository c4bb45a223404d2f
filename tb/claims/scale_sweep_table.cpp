// SPDX-License-Identifier: Apache-2.0
#include "tb/claims/scale_sweep_table.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "tb/claims/claim_inputs.hpp"

namespace nibblecore::tb {
namespace {

constexpr int kMostBits = 8;
constexpr std::array<SweepScale, 3> kDirections{SweepScale::kRoundedUp, SweepScale::kNearest,
                                                SweepScale::kRoundedDown};

/// k = 0..8 in each direction, then the scale without rounding and the best real one.
std::vector<ScaleChoice> choices() {
  std::vector<ScaleChoice> all;
  for (int bits = 0; bits <= kMostBits; ++bits) {
    for (const SweepScale direction : kDirections) {
      all.push_back({direction, bits});
    }
  }
  all.push_back({SweepScale::kUnlimited, 0});
  all.push_back({SweepScale::kBestReal, 0});
  return all;
}

}  // namespace

std::string scale_sweep_table(const ClaimInputs& inputs) {
  const std::vector<ScaleErrorSums> gaussian = law_errors(inputs, find_law("gaussian"), choices());
  const std::vector<ScaleErrorSums> heavier = law_errors(inputs, find_law("t40"), choices());
  const auto cell = [&](size_t choice) {
    return fmt::format("{:.3f} ({:.3f})", gaussian.at(choice).total / gaussian.front().total,
                       heavier.at(choice).total / heavier.front().total);
  };
  std::string text =
      "| mantissa bits of the scale | rounded up | nearest | rounded down |\n|--:|--:|--:|--:|\n";
  size_t choice = 0;
  for (int bits = 0; bits <= kMostBits; ++bits) {
    text += fmt::format("| {} |", bits);
    for (size_t direction = 0; direction < kDirections.size(); ++direction) {
      text += " " + cell(choice++) + " |";
    }
    text += "\n";
  }
  const std::string unlimited = cell(choice);
  text += fmt::format("| unlimited | {} | {} | {} |\n", unlimited, unlimited, unlimited);
  return text + fmt::format("| best real scale | {} | | |\n", cell(choice + 1));
}

}  // namespace nibblecore::tb
