// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/ideal_scale.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

using BlockDoubles = std::array<double, kLongestBlock>;

/// The magnitudes of an element format in some unit, where nearest even goes from each to the next,
/// and how many of that unit the largest magnitude of a block is.
struct Grid {
  std::array<double, 7> steps;
  std::array<double, 7> limits;
  double largest;
};

/// Even codes keep a tie: limit i itself stays with code i where i is even.
constexpr Grid kE2m1Grid{{0.5, 0.5, 0.5, 0.5, 1, 1, 2}, {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5}, 6};
/// In quarters. A block's largest magnitude has both micro-exponents: 7/4 units of 4 scales.
constexpr Grid kS1p2Grid{{1, 1, 1, 1, 1, 1, 1}, {0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5}, 28};

/// Rounds x in units of units[i] / largest. All comparisons are of exact products: 24-bit
/// significands times small integers. A loop a limit, since compilers turn those into vectors.
template <const Grid& grid>
void round_to_grid(const BlockDoubles& inputs, const BlockDoubles& units, size_t size,
                   IdealBlock& result) {
  BlockDoubles magnitudes;
  BlockDoubles rounded{};
  for (size_t i = 0; i < size; ++i) {
    magnitudes[i] = grid.largest * std::fabs(inputs[i]);
    result.dead_zone[i] = magnitudes[i] < grid.limits[0] * units[i] ? 1.0 : 0.0;
  }
  for (size_t code = 0; code < grid.limits.size(); ++code) {
    const double limit = grid.limits[code];
    const double step = grid.steps[code];
    if (code % 2 == 0) {
      for (size_t i = 0; i < size; ++i) {
        rounded[i] += magnitudes[i] > limit * units[i] ? step : 0.0;
      }
    } else {
      for (size_t i = 0; i < size; ++i) {
        rounded[i] += magnitudes[i] >= limit * units[i] ? step : 0.0;
      }
    }
  }
  for (size_t i = 0; i < size; ++i) {
    result.values[i] = std::copysign(rounded[i] * units[i] / grid.largest, inputs[i]);
  }
}

double largest_of(const BlockDoubles& inputs, size_t begin, size_t end) {
  double largest = 0;
  for (size_t i = begin; i < end; ++i) {
    largest = std::max(largest, std::fabs(inputs[i]));
  }
  return largest;
}

/// 2^n times the largest magnitude, n the micro-exponents of each element: v8 >= 4 s* is
/// 7 v8 >= 4 m, v16 2^-e8 >= 2 s* is 7 v16 >= 2^(1 + e8) m.
void set_hif4_units(const BlockDoubles& inputs, double largest, BlockDoubles& units) {
  for (size_t first = 0; first < units.size(); first += 8) {
    const double of_8 = largest_of(inputs, first, first + 8);
    const double power_8 = 7 * of_8 >= 4 * largest ? 2.0 : 1.0;
    for (size_t quad = first; quad < first + 8; quad += 4) {
      const double of_4 = largest_of(inputs, quad, quad + 4);
      const double power = 7 * of_4 >= 2 * power_8 * largest ? 2 * power_8 : power_8;
      std::fill_n(units.begin() + static_cast<std::ptrdiff_t>(quad), 4, power * largest);
    }
  }
}

}  // namespace

void quantize_ideal_scale(ElementKind element, const float* values, int count, int block,
                          IdealBlock& result) {
  if (count < 1 || count > block || block > kLongestBlock ||
      (element == ElementKind::kS1p2 && block != kLongestBlock)) {
    throw InternalError("a block that the ideal-scale quantizer does not take");
  }
  const auto size = static_cast<size_t>(block);
  BlockDoubles inputs{};
  std::copy_n(values, count, inputs.begin());
  const double largest = largest_of(inputs, 0, size);
  BlockDoubles units;
  if (element == ElementKind::kS1p2) {
    set_hif4_units(inputs, largest, units);
    result.scale = largest / 7;
    round_to_grid<kS1p2Grid>(inputs, units, size, result);
  } else {
    units.fill(largest);
    result.scale = largest / 6;
    round_to_grid<kE2m1Grid>(inputs, units, size, result);
  }
}

}  // namespace nibblecore
