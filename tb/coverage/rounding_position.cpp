// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/rounding_position.hpp"

#include <algorithm>

namespace nibblecore::tb {

std::vector<std::string> position_names() {
  return {"exact",      "below half",        "tie over an even code", "tie over an odd code",
          "above half", "beyond the largest"};
}

Placed place(double magnitude, const std::vector<double>& magnitudes) {
  const auto above = std::upper_bound(magnitudes.begin(), magnitudes.end(), magnitude);
  const auto code = static_cast<size_t>(above - magnitudes.begin()) - 1;
  const double lower = magnitudes[code];
  if (magnitude == lower) {
    return {Position::kExact, code};
  }
  if (above == magnitudes.end()) {
    return {Position::kBeyond, code};
  }
  // Neighbours and their middle are exact in double precision.
  const double middle = (lower + *above) / 2;
  if (magnitude == middle) {
    return {code % 2 == 0 ? Position::kTieEvenBelow : Position::kTieOddBelow, code};
  }
  return {magnitude < middle ? Position::kBelowHalf : Position::kAboveHalf, code};
}

const std::vector<double>& e2m1_magnitudes() {
  static const std::vector<double> magnitudes{0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return magnitudes;
}

const std::vector<double>& quarters() {
  static const std::vector<double> steps{0, 1, 2, 3, 4, 5, 6, 7};
  return steps;
}

}  // namespace nibblecore::tb
