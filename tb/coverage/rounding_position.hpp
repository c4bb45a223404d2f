// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nibblecore::tb {

/// Where a magnitude lies between two neighbouring magnitudes of an element or a scale.
enum class Position {
  kExact,
  kBelowHalf,
  kTieEvenBelow,  ///< a tie over an even code
  kTieOddBelow,
  kAboveHalf,
  kBeyond,  ///< above the largest magnitude
};
inline constexpr int kPositions = 6;

/// Names of all positions.
std::vector<std::string> position_names();

/// A magnitude against the ascending magnitudes of codes 0, 1, ..; `code`: the lower neighbour's.
struct Placed {
  Position position;
  size_t code;
};
Placed place(double magnitude, const std::vector<double>& magnitudes);

/// Magnitudes of E2M1 and, in quarters, of S1P2.
const std::vector<double>& e2m1_magnitudes();
const std::vector<double>& quarters();

}  // namespace nibblecore::tb
