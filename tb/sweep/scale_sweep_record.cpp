// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/scale_sweep_record.hpp"

#include <cmath>
#include <optional>

#include <boost/json.hpp>

#include "tb/replay/report_text.hpp"
#include "tb/sweep/sweep_record.hpp"

namespace nibblecore::tb {
namespace {

namespace json = boost::json;

std::optional<double> if_finite(double value) {
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

json::value share_of(double energy, const ScaleErrorSums& sums) {
  return rounded(if_finite(energy / sums.total));
}

json::value over_blocks(double value, const ScaleErrorSums& sums) {
  return rounded(if_finite(value / static_cast<double>(sums.blocks)));
}

json::value over_elements(int64_t count, const ScaleErrorSums& sums) {
  return rounded(if_finite(static_cast<double>(count) / static_cast<double>(sums.elements)));
}

json::object record_of(const ScaleSweepResult& result, const char* level,
                       const ScaleSweepValues& values, size_t index) {
  const NamedScale& scale = result.scales[index];
  const ScaleErrorSums& sums = values.sums[index];
  const bool has_bits = scale.choice.scale != SweepScale::kUnlimited;
  return {
      {"level", level},
      {"name", values.name},
      {"block", result.format.block},
      {"scale_format", scale.name},
      {"rounding", scale.name.substr(scale.name.rfind(' ') + 1)},
      {"mantissa_bits",
       has_bits ? json::value(int64_t{scale.choice.mantissa_bits}) : json::value(nullptr)},
      {"error_over_e8m0_up", rounded(if_finite(sums.total / values.sums.front().total))},
      {"relative_error", six_digits(if_finite(sums.relative_error()))},
      {"scale", share_of(sums.scale, sums)},
      {"grid", share_of(sums.grid, sums)},
      {"dead_zone", share_of(sums.dead_zone, sums)},
      {"cos_scale_grid", rounded(if_finite(sums.scale_grid_cosine()))},
      {"gain", rounded(if_finite(sums.gain / sums.signal))},
      {"gamma_mean", over_blocks(sums.gamma, sums)},
      {"in_dead_zone", over_elements(sums.in_dead_zone, sums)},
      {"zeros", over_elements(sums.zeros, sums)},
      {"error_energy", sums.total},
      {"scale_energy", sums.scale},
      {"grid_energy", sums.grid},
      {"dead_zone_energy", sums.dead_zone},
      {"signal_energy", sums.signal},
  };
}

}  // namespace

std::vector<json::object> scale_sweep_records(const ScaleSweepResult& result) {
  std::vector<json::object> records;
  const auto add = [&](const char* level, const ScaleSweepValues& values) {
    for (size_t i = 0; i < result.scales.size(); ++i) {
      records.push_back(record_of(result, level, values, i));
    }
  };
  for (const ScaleSweepValues& tensor : result.tensors) {
    add("tensor", tensor);
  }
  for (const ScaleSweepValues& group : result.groups) {
    add("group", group);
  }
  add("total", result.total);
  return records;
}

}  // namespace nibblecore::tb
