// SPDX-License-Identifier: Apache-2.0
#include "tb/decompose/figures.hpp"

#include "tb/replay/share.hpp"

namespace nibblecore::tb {
namespace {

using Ratio = Figure::Ratio;
using Amount = Figure::Amount;

std::optional<double> of_any(const Moments& moments, double value) {
  return moments.count == 0 ? std::nullopt : std::optional<double>(value);
}

void add_energies(const Decomposition& sum, std::vector<Figure>& figures) {
  for (const Figure& figure : {
           Figure{"scale", Ratio{sum.share(sum.scale)}},
           Figure{"grid", Ratio{sum.share(sum.grid)}},
           Figure{"dead_zone", Ratio{sum.share(sum.dead_zone)}},
           Figure{"cos_scale_grid", Ratio{sum.scale_grid_cosine()}},
           Figure{"cos_scale_dead_zone", Ratio{sum.scale_dead_zone_cosine()}},
           Figure{"cos_grid_dead_zone", Ratio{sum.grid_dead_zone_cosine()}},
           Figure{"closure", Ratio{sum.closure()}},
           Figure{"orthogonal", sum.dead_zone_is_orthogonal()},
           Figure{"relative_mse", Ratio{sum.relative_error()}},
           Figure{"snr_db", Ratio{sum.decibels()}},
           Figure{"gain", Ratio{sum.gain()}},
           Figure{"cosine", Ratio{sum.cosine()}},
           Figure{"error_energy", Amount{sum.error}},
           Figure{"signal_energy", Amount{sum.signal}},
       }) {
    figures.push_back(figure);
  }
}

void add_counts(const Decomposition& sum, std::vector<Figure>& figures) {
  for (const Figure& figure : {
           Figure{"blocks", sum.blocks},
           Figure{"zero_blocks", sum.zero_blocks},
           Figure{"non_finite_blocks", sum.non_finite_blocks},
           Figure{"elements", sum.elements},
           Figure{"in_dead_zone", Ratio{share_if_any(sum.in_dead_zone, sum.elements)}},
           Figure{"dead_zone_values", sum.dead_zone_values},
           Figure{"zeros", Ratio{share_if_any(sum.zeros, sum.elements)}},
           Figure{"underflow", Ratio{share_if_any(sum.underflows, sum.non_zero)}},
           Figure{"saturation", Ratio{share_if_any(sum.saturated, sum.non_zero)}},
           Figure{"clipped_blocks", Ratio{share_if_any(sum.clipped_blocks, sum.blocks)}},
           Figure{"small_scale_blocks", Ratio{share_if_any(sum.small_scale_blocks, sum.blocks)}},
           Figure{"unscaled_blocks", sum.unscaled_blocks},
           Figure{"gamma_mean", Ratio{of_any(sum.gamma, sum.gamma.mean)}},
           Figure{"gamma_sd", Ratio{of_any(sum.gamma, sum.gamma.deviation())}},
           Figure{"delta_mean", Ratio{of_any(sum.delta, sum.delta.mean)}},
           Figure{"delta_sd", Ratio{of_any(sum.delta, sum.delta.deviation())}},
       }) {
    figures.push_back(figure);
  }
}

void add_statistics(const TensorStatistics& statistics, std::vector<Figure>& figures) {
  const Moments& moments = statistics.moments;
  const auto peak =
      statistics.amax == 0 ? std::nullopt : std::optional<double>(statistics.peak_to_rms());
  const auto kurtosis =
      moments.squares == 0 ? std::nullopt : std::optional<double>(moments.kurtosis());
  for (const Figure& figure : {
           Figure{"values", statistics.elements},
           Figure{"zero_values", statistics.zeros},
           Figure{"non_finite_values", statistics.non_finite},
           Figure{"amax", Amount{statistics.amax}},
           Figure{"rms", Amount{statistics.rms()}},
           Figure{"mean", Amount{moments.mean}},
           Figure{"amax_over_rms", Ratio{peak}},
           Figure{"kurtosis", Ratio{kurtosis}},
       }) {
    figures.push_back(figure);
  }
}

}  // namespace

std::vector<Figure> figures_of(const DecomposedValues& values) {
  std::vector<Figure> figures{{"tensors", values.tensors}};
  add_energies(values.decomposition, figures);
  add_counts(values.decomposition, figures);
  add_statistics(values.statistics, figures);
  return figures;
}

}  // namespace nibblecore::tb
