// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/scale_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/parallel.hpp"

namespace nibblecore {
namespace {

/// The sums of a block whose largest magnitude is `largest` > 0.
ScaleErrorSums block_sums(const float* values, int count, double largest, double scale) {
  const ElementRounding& rounding = e2m1_rounding(Rounding::kNearestEven);
  const double ideal = ideal_e2m1_scale(largest);
  ScaleErrorSums sums;
  for (int i = 0; i < count; ++i) {
    const double x = values[i];
    const double q = e2m1_value(x, scale, rounding);
    const double under_ideal = e2m1_value(x, ideal, rounding);
    const double scale_error = q - under_ideal;
    const double rest = under_ideal - x;
    sums.signal += x * x;
    sums.total += (q - x) * (q - x);
    sums.scale += scale_error * scale_error;
    sums.gain += q * x;
    if (24 * std::fabs(x) < largest) {
      sums.dead_zone += rest * rest;
      sums.scale_dead_zone += scale_error * rest;
      ++sums.in_dead_zone;
    } else {
      sums.grid += rest * rest;
      sums.scale_grid += scale_error * rest;
    }
    sums.zeros += q == 0 ? 1 : 0;
  }
  sums.elements = count;
  sums.gamma = scale / ideal;
  sums.blocks = 1;
  return sums;
}

/// Adds the blocks of a row to the sums of each choice.
void add_row(const SweepInput& input, int64_t row, const float* values,
             const std::vector<ScaleChoice>& choices, ScaleErrorSums* sums) {
  for (int64_t block = 0; block * input.block < input.k; ++block) {
    const float* block_values = values + block * input.block;
    const int count =
        static_cast<int>(std::min<int64_t>(input.block, input.k - block * input.block));
    const double largest = block_maximum(block_values, count);
    for (size_t i = 0; i < choices.size(); ++i) {
      ScaleErrorSums added;
      added.elements = count;
      added.zeros = count;
      if (largest > 0) {
        added =
            block_sums(block_values, count, largest, sweep_scale(block_values, count, choices[i]));
        added.weigh(input.weight ? input.weight(row, block) : 1);
      }
      sums[i] += added;
    }
  }
}

void check_finite(const std::vector<float>& values, int64_t row) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw InputError("row " + std::to_string(row) + ", column " + std::to_string(i),
                       "the value is not finite");
    }
  }
}

}  // namespace

ScaleErrorSums& ScaleErrorSums::operator+=(const ScaleErrorSums& other) {
  signal += other.signal;
  total += other.total;
  scale += other.scale;
  grid += other.grid;
  dead_zone += other.dead_zone;
  scale_grid += other.scale_grid;
  scale_dead_zone += other.scale_dead_zone;
  gain += other.gain;
  gamma += other.gamma;
  elements += other.elements;
  in_dead_zone += other.in_dead_zone;
  zeros += other.zeros;
  blocks += other.blocks;
  return *this;
}

void ScaleErrorSums::weigh(double weight) {
  for (double* energy :
       {&signal, &total, &scale, &grid, &dead_zone, &scale_grid, &scale_dead_zone, &gain}) {
    *energy *= weight;
  }
}

double ScaleErrorSums::scale_grid_cosine() const { return scale_grid / std::sqrt(scale * grid); }

std::vector<ScaleErrorSums> sweep_scales(const SweepInput& input,
                                         const std::vector<ScaleChoice>& choices, int threads) {
  if (input.rows <= 0 || input.k <= 0 || input.block <= 0) {
    throw InputError("scale sweep", "rows, k and block must be positive");
  }
  const auto choice_count = static_cast<int64_t>(choices.size());
  // A fixed piece of rows has sums of its own, whatever the threads.
  const int64_t rows_a_piece = ceil_divide(input.rows, 256);
  const int64_t pieces = ceil_divide(input.rows, rows_a_piece);
  std::vector<ScaleErrorSums> partial(
      static_cast<size_t>(checked_multiply(pieces, choice_count, "scale sweep")));
  parallel_for(pieces, 1, threads, [&](int64_t first, int64_t last) {
    std::vector<float> values(static_cast<size_t>(input.k));
    for (int64_t piece = first; piece < last; ++piece) {
      const int64_t end = std::min(input.rows, (piece + 1) * rows_a_piece);
      for (int64_t row = piece * rows_a_piece; row < end; ++row) {
        input.source(row, values.data());
        check_finite(values, row);
        add_row(input, row, values.data(), choices, partial.data() + piece * choice_count);
      }
    }
  });
  std::vector<ScaleErrorSums> sums(choices.size());
  for (size_t i = 0; i < partial.size(); ++i) {
    sums[i % choices.size()] += partial[i];
  }
  return sums;
}

}  // namespace nibblecore
