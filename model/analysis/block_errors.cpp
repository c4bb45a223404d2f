// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/block_errors.hpp"

#include <algorithm>
#include <cmath>

#include "model/analysis/ideal_scale.hpp"
#include "model/analysis/lane_sum.hpp"
#include "model/formats/fp32.hpp"
#include "model/quantize/magnitude_bits.hpp"

namespace nibblecore {
namespace {

using BlockDoubles = std::array<double, kLongestBlock>;

double dot(const BlockDoubles& a, const BlockDoubles& b, int size) {
  return lane_sum(size,
                  [&](int64_t i) { return a[static_cast<size_t>(i)] * b[static_cast<size_t>(i)]; });
}

BlockDoubles padded(const float* values, int count) {
  BlockDoubles result{};
  std::copy_n(values, count, result.begin());
  return result;
}

void add_energies(const BlockDoubles& input, const BlockDoubles& quantized, const IdealBlock& ideal,
                  int size, Decomposition& sum) {
  BlockDoubles error;
  BlockDoubles scale;
  BlockDoubles grid;
  BlockDoubles dead_zone;
  for (size_t i = 0; i < static_cast<size_t>(size); ++i) {
    const double ideal_error = ideal.values[i] - input[i];
    error[i] = quantized[i] - input[i];
    scale[i] = quantized[i] - ideal.values[i];
    dead_zone[i] = ideal_error * ideal.dead_zone[i];
    grid[i] = ideal_error - dead_zone[i];
  }
  sum.error += dot(error, error, size);
  sum.scale += dot(scale, scale, size);
  sum.grid += dot(grid, grid, size);
  sum.dead_zone += dot(dead_zone, dead_zone, size);
  sum.scale_grid += dot(scale, grid, size);
  sum.scale_dead_zone += dot(scale, dead_zone, size);
  sum.grid_dead_zone += dot(grid, dead_zone, size);
  sum.signal += dot(input, input, size);
  sum.product += dot(quantized, input, size);
  sum.quantized += dot(quantized, quantized, size);
}

void add_counts(const QuantizedBlock& block, const IdealBlock& ideal, const BlockScale& scale,
                Decomposition& sum) {
  int non_zero = 0;
  int zeros = 0;
  int underflows = 0;
  int in_dead_zone = 0;
  int dead_zone_values = 0;
  int beyond = 0;
  for (int i = 0; i < block.count; ++i) {
    const auto index = static_cast<size_t>(i);
    const int has_input = block.input[i] != 0 ? 1 : 0;
    const int is_zero = block.decoded[i] == 0 ? 1 : 0;
    const int is_dead = ideal.dead_zone[index] != 0 ? 1 : 0;
    non_zero += has_input;
    zeros += is_zero;
    underflows += is_zero & has_input;
    in_dead_zone += is_dead;
    dead_zone_values += is_dead & (1 - is_zero);
    beyond += std::fabs(double{block.input[i]}) > scale.limits[index] ? 1 : 0;
  }
  const int saturated = scale.scale > 0 ? beyond : 0;
  sum.elements += block.count;
  sum.non_zero += non_zero;
  sum.zeros += zeros;
  sum.underflows += underflows;
  sum.in_dead_zone += in_dead_zone;
  sum.dead_zone_values += dead_zone_values;
  sum.saturated += saturated;
  sum.clipped_blocks += saturated != 0 ? 1 : 0;
}

}  // namespace

void ScaleRatios::add(double gamma) {
  gamma_.push_back(gamma);
  delta_.push_back(std::log2(gamma));
}

void ScaleRatios::add_to(Decomposition& sum) const {
  const auto count = static_cast<int64_t>(gamma_.size());
  sum.gamma += moments_of(gamma_.data(), count);
  sum.delta += moments_of(delta_.data(), count);
}

void add_block_errors(const BlockFormat& format, const QuantizedBlock& block,
                      const BlockScale& scale, ScaleRatios& ratios, Decomposition& sum) {
  const auto size = static_cast<size_t>(block.count);
  const uint32_t largest = largest_magnitude_bits(block.input, size);
  if (!fp32_is_finite(largest) || !fp32_is_finite(largest_magnitude_bits(block.decoded, size))) {
    ++sum.non_finite_blocks;
    return;
  }
  if (largest == 0) {
    ++sum.zero_blocks;
    return;
  }
  ++sum.blocks;
  IdealBlock ideal;
  quantize_ideal_scale(format.element, block.input, block.count, format.block, ideal);
  add_energies(padded(block.input, block.count), padded(block.decoded, block.count), ideal,
               format.block, sum);
  add_counts(block, ideal, scale, sum);
  // Exact: a scale has at most 28 significant bits, `largest_element` 3.
  const double largest_element = format.element == ElementKind::kE2m1 ? 6 : 7;
  const double reach = scale.scale * largest_element;
  const double amax = bits_float(largest);
  sum.small_scale_blocks += reach >= amax ? 0 : 1;
  if (scale.scale > 0) {
    ratios.add(reach / amax);
  } else {
    ++sum.unscaled_blocks;
  }
}

}  // namespace nibblecore
