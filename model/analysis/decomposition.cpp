// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/decomposition.hpp"

#include <cmath>

namespace nibblecore {
namespace {

std::optional<double> ratio(double numerator, double denominator) {
  return denominator == 0 ? std::nullopt : std::optional<double>(numerator / denominator);
}

/// From the inner product and the two energies.
std::optional<double> cosine_of(double product, double a, double b) {
  return ratio(product, std::sqrt(a) * std::sqrt(b));
}

}  // namespace

Decomposition& Decomposition::operator+=(const Decomposition& other) {
  error += other.error;
  scale += other.scale;
  grid += other.grid;
  dead_zone += other.dead_zone;
  scale_grid += other.scale_grid;
  scale_dead_zone += other.scale_dead_zone;
  grid_dead_zone += other.grid_dead_zone;
  signal += other.signal;
  product += other.product;
  quantized += other.quantized;
  blocks += other.blocks;
  zero_blocks += other.zero_blocks;
  non_finite_blocks += other.non_finite_blocks;
  elements += other.elements;
  non_zero += other.non_zero;
  zeros += other.zeros;
  underflows += other.underflows;
  in_dead_zone += other.in_dead_zone;
  dead_zone_values += other.dead_zone_values;
  saturated += other.saturated;
  clipped_blocks += other.clipped_blocks;
  small_scale_blocks += other.small_scale_blocks;
  unscaled_blocks += other.unscaled_blocks;
  gamma += other.gamma;
  delta += other.delta;
  return *this;
}

std::optional<double> Decomposition::share(double energy) const { return ratio(energy, error); }

std::optional<double> Decomposition::scale_grid_cosine() const {
  return cosine_of(scale_grid, scale, grid);
}

std::optional<double> Decomposition::scale_dead_zone_cosine() const {
  return cosine_of(scale_dead_zone, scale, dead_zone);
}

std::optional<double> Decomposition::grid_dead_zone_cosine() const {
  return cosine_of(grid_dead_zone, grid, dead_zone);
}

std::optional<double> Decomposition::closure() const {
  return share(scale + grid + dead_zone + 2 * (scale_grid + scale_dead_zone + grid_dead_zone));
}

std::optional<double> Decomposition::relative_error() const { return ratio(error, signal); }

std::optional<double> Decomposition::decibels() const {
  if (error == 0 || signal == 0) {
    return std::nullopt;
  }
  return 10 * (std::log10(signal) - std::log10(error));
}

std::optional<double> Decomposition::gain() const { return ratio(product, signal); }

std::optional<double> Decomposition::cosine() const {
  return cosine_of(product, quantized, signal);
}

}  // namespace nibblecore
