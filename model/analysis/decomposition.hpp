// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "model/analysis/moments.hpp"

namespace nibblecore {

/// The quantization error e = Q - x of a tensor in three parts (arXiv 2605.20402), as sums over its
/// elements in FP64. With Q* the values under a scale without rounding (ideal_scale.hpp) and D its
/// dead zone:
///
///     e_scale = Q - Q*     e_dz = (Q* - x) on D, 0 elsewhere     e_grid = (Q* - x) outside D, 0 on
///     D
///
/// so e = e_scale + e_dz + e_grid element by element, and <e_dz, e_grid> = 0. Where Q is 0 on all
/// of D, as it is under a scale s >= s* of an E2M1 block, <e_dz, e_scale> = 0 as well.
///
/// Blocks that are all zero, and blocks with an input or a quantized value that is not finite, are
/// left out of every figure but the two that count them.
struct Decomposition {
  double error = 0;      ///< <e, e>
  double scale = 0;      ///< <e_scale, e_scale>
  double grid = 0;       ///< <e_grid, e_grid>
  double dead_zone = 0;  ///< <e_dz, e_dz>
  double scale_grid = 0;
  double scale_dead_zone = 0;
  double grid_dead_zone = 0;
  double signal = 0;     ///< <x, x>
  double product = 0;    ///< <Q, x>
  double quantized = 0;  ///< <Q, Q>

  int64_t blocks = 0;             ///< those that count
  int64_t zero_blocks = 0;        ///< left out: all zero
  int64_t non_finite_blocks = 0;  ///< left out: NaN or infinity in x or Q
  int64_t elements = 0;           ///< of the blocks that count, padding apart
  int64_t non_zero = 0;           ///< elements with x != 0
  int64_t zeros = 0;              ///< elements with Q = 0
  int64_t underflows = 0;         ///< elements with Q = 0 and x != 0
  int64_t in_dead_zone = 0;       ///< elements of D, zeros among them
  int64_t dead_zone_values = 0;   ///< elements of D with Q != 0: they break the orthogonality
  int64_t saturated = 0;       ///< elements beyond the largest magnitude of a scale that is not 0
  int64_t clipped_blocks = 0;  ///< blocks with such an element
  int64_t small_scale_blocks = 0;  ///< blocks with s < s*, those of no positive scale among them
  int64_t unscaled_blocks = 0;  ///< blocks whose scale is no positive number; gamma leaves them out

  Moments gamma;  ///< s / s* over blocks
  Moments delta;  ///< log2 gamma over blocks

  Decomposition& operator+=(const Decomposition& other);

  int64_t skipped_blocks() const { return zero_blocks + non_finite_blocks; }

  /// Whether the dead zone's error is orthogonal to both other parts: Q is 0 on all of it.
  bool dead_zone_is_orthogonal() const { return dead_zone_values == 0; }

  /// `energy` / <e, e>; none where the error is 0.
  std::optional<double> share(double energy) const;
  std::optional<double> scale_grid_cosine() const;
  std::optional<double> scale_dead_zone_cosine() const;
  std::optional<double> grid_dead_zone_cosine() const;
  /// The parts and twice their products over <e, e>: 1 but for the rounding of FP64 sums.
  std::optional<double> closure() const;
  /// <e, e> / <x, x>; none without a signal, as for the next three.
  std::optional<double> relative_error() const;
  /// -10 log10 of it; none where the error is 0.
  std::optional<double> decibels() const;
  /// <Q, x> / <x, x>.
  std::optional<double> gain() const;
  /// <Q, x> / (|Q| |x|).
  std::optional<double> cosine() const;
};

}  // namespace nibblecore
