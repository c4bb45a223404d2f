// SPDX-License-Identifier: Apache-2.0
#include "tb/decompose/decompose_table.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "tb/replay/share.hpp"
#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {
namespace {

std::string decimals(const std::optional<double>& value, int digits) {
  if (!value) {
    return "-";
  }
  // A difference that vanishes among the digits has no sign.
  const double unit = std::pow(10.0, -digits);
  const double shown = std::fabs(*value) < unit / 2 ? 0.0 : *value;
  return fmt::format("{:.{}f}", shown, digits);
}

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f} %", 100 * *value) : "-";
}

std::string scientific(const std::optional<double>& value) {
  return value ? fmt::format("{:.3e}", *value) : "-";
}

void add_row(const std::string& name, const DecomposedValues& values, TextTable& table) {
  const Decomposition& sum = values.decomposition;
  const TensorStatistics& statistics = values.statistics;
  const bool has_gamma = sum.gamma.count != 0;
  const auto if_any = [](bool any, double value) {
    return any ? std::optional<double>(value) : std::nullopt;
  };
  table.add_row(
      {name, grouped(sum.blocks), decimals(sum.share(sum.scale), 3),
       decimals(sum.share(sum.grid), 3), decimals(sum.share(sum.dead_zone), 4),
       decimals(sum.scale_grid_cosine(), 3), decimals(sum.scale_dead_zone_cosine(), 3),
       decimals(sum.closure(), 6), percent(share_if_any(sum.in_dead_zone, sum.elements)),
       percent(share_if_any(sum.zeros, sum.elements)),
       percent(share_if_any(sum.underflows, sum.non_zero)),
       percent(share_if_any(sum.saturated, sum.non_zero)),
       decimals(if_any(has_gamma, sum.gamma.mean), 4),
       decimals(if_any(has_gamma, sum.gamma.deviation()), 4),
       decimals(if_any(statistics.moments.squares != 0, statistics.moments.kurtosis()), 2),
       decimals(if_any(statistics.amax != 0, statistics.peak_to_rms()), 2),
       scientific(sum.relative_error()), decimals(sum.decibels(), 2)});
}

std::string orthogonality(const Decomposition& sum) {
  if (sum.dead_zone_is_orthogonal()) {
    return "The dead zone's error is orthogonal to both other parts: Q is 0 on all of it.\n";
  }
  return fmt::format(
      "Orthogonality does not hold: Q is not 0 on {} of the {} elements of the dead zone ({} of {} "
      "blocks have a scale below the ideal one); 2 <scale, dead zone> is {:.6f} of the error.\n",
      grouped(sum.dead_zone_values), grouped(sum.in_dead_zone), grouped(sum.small_scale_blocks),
      grouped(sum.blocks), sum.share(2 * sum.scale_dead_zone).value_or(0));
}

std::string left_out(const Decomposition& sum) {
  return sum.skipped_blocks() == 0
             ? ""
             : fmt::format("Left out: {} blocks that are all zero, {} with NaN or infinity.\n",
                           grouped(sum.zero_blocks), grouped(sum.non_finite_blocks));
}

}  // namespace

std::string decompose_table(const DecomposeResult& result) {
  TextTable table({"values"}, {"blocks", "scale", "grid", "dead zone", "cos(sc,gr)", "cos(sc,dz)",
                               "closure", "in dead zone", "zeros", "underflow", "saturated",
                               "gamma", "sd", "kurtosis", "amax/rms", "rel. MSE", "SNR dB"});
  for (const DecomposedValues& tensor : result.tensors) {
    add_row(tensor.name, tensor, table);
  }
  for (const DecomposedValues& kind : result.kinds) {
    add_row("all " + kind.name, kind, table);
  }
  add_row("total", result.total, table);
  return table.text() + "\n" + orthogonality(result.total.decomposition) +
         left_out(result.total.decomposition);
}

}  // namespace nibblecore::tb
