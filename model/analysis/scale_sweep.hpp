// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/analysis/scale_choice.hpp"
#include "model/quantize/quantize_rows.hpp"

namespace nibblecore {

/// Sums over elements of the error e = Q - x of E2M1 (nearest even, saturating at 6) and of its
/// parts, after arXiv 2605.20402 in the reading that adds up: with Q* the values under s* and
/// D = {|x| < m / 24} its dead zone, scale = Q - Q*, dead zone = (Q* - x) in D, grid = (Q* - x)
/// outside D. Sums are FP64. total = scale + dead_zone + grid + 2 (scale_grid + scale_dead_zone) up
/// to rounding; grid and dead zone have disjoint supports.
struct ScaleErrorSums {
  double signal = 0;           ///< x^2
  double total = 0;            ///< e^2
  double scale = 0;            ///< scale^2
  double grid = 0;             ///< grid^2
  double dead_zone = 0;        ///< dead_zone^2
  double scale_grid = 0;       ///< scale * grid
  double scale_dead_zone = 0;  ///< scale * dead_zone; exactly 0 where s >= s*
  double gain = 0;             ///< Q * x
  double gamma = 0;            ///< s / s*, summed over blocks
  int64_t elements = 0;
  int64_t in_dead_zone = 0;  ///< elements of D
  int64_t zeros = 0;         ///< elements with Q = 0
  int64_t blocks = 0;  ///< blocks that are not all zero; others add to elements and zeros only

  ScaleErrorSums& operator+=(const ScaleErrorSums& other);
  /// Multiplies the energies (sums of squares and products), not the counts.
  void weigh(double weight);
  /// total / signal.
  double relative_error() const { return total / signal; }
  /// The cosine of the angle between scale and grid errors.
  double scale_grid_cosine() const;
};

/// What a sweep reads: [rows, k] values in blocks of `block` along k (a tail makes a shorter
/// block).
struct SweepInput {
  RowSource source;  ///< called from several threads, each row once
  int64_t rows = 0;
  int64_t k = 0;
  int block = 32;
  /// Factor of a block's energies (sums of squares and products), 1 where empty. Synthetic blocks
  /// of random size are weighed so that each counts alike.
  std::function<double(int64_t row, int64_t block)> weight;
};

/// The errors under each choice. One row a thread is held at a time; the sums' bits don't depend on
/// `threads` (0: one per processor). InputError where a value is not finite, or block, rows or k is
/// not positive.
std::vector<ScaleErrorSums> sweep_scales(const SweepInput& input,
                                         const std::vector<ScaleChoice>& choices, int threads);

}  // namespace nibblecore
