// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/grid.hpp"

#include <algorithm>

#include "model/common/error.hpp"

namespace nibblecore::tb {
namespace {

bool is_called(const Preset& preset, const std::string& name) {
  return preset.name == name || (!preset.alias.empty() && preset.alias == name);
}

/// The presets of a format that `names` have, in the order of the names.
std::vector<Preset> presets_of(const BlockFormat& format, const std::vector<std::string>& names) {
  if (names.empty()) {
    return {preset(format, "")};
  }
  std::vector<Preset> found;
  for (const std::string& name : names) {
    for (const Preset& each : presets()) {
      if (each.format.name == format.name && (name == "all" || is_called(each, name))) {
        found.push_back(each);
      }
    }
  }
  return found;
}

void require_known_presets(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool known =
        name == "all" || std::any_of(presets().begin(), presets().end(),
                                     [&](const Preset& each) { return is_called(each, name); });
    if (!known) {
      throw InputError("--presets",
                       "no format has a preset '" + name + "' (list presets; all: every one)");
    }
  }
}

std::vector<Preset> quantizers(const GridAxes& axes) {
  require_known_presets(axes.presets);
  std::vector<Preset> all;
  const auto add = [&](const BlockFormat& format, bool is_asked_for) {
    const std::vector<Preset> found = presets_of(format, axes.presets);
    if (found.empty() && is_asked_for) {
      throw InputError("--presets", "names no preset of format " + std::string(format.name));
    }
    all.insert(all.end(), found.begin(), found.end());
  };
  for (const std::string& name : axes.formats) {
    add(block_format(name), true);
  }
  if (axes.formats.empty()) {
    for (const BlockFormat& format : kBlockFormats) {
      add(format, false);
    }
  }
  return all;
}

std::vector<std::string> or_none(const std::vector<std::string>& names) {
  return names.empty() ? std::vector<std::string>{"none"} : names;
}

/// Whether the grid is more than schemes.
bool has_combinations(const GridAxes& axes) {
  return axes.schemes.empty() || !axes.formats.empty() || !axes.presets.empty() ||
         !axes.corrections.empty() || !axes.residuals.empty();
}

}  // namespace

std::vector<GridPoint> grid_points(const GridAxes& axes) {
  std::vector<NamedCorrection> corrections;
  for (const std::string& name : or_none(axes.corrections)) {
    corrections.push_back(named_correction(name));
  }
  std::vector<ResidualPattern> residuals;
  for (const std::string& name : or_none(axes.residuals)) {
    residuals.push_back(residual_pattern(name));
  }
  std::vector<GridPoint> points;
  if (has_combinations(axes)) {
    for (const Preset& quantizer : quantizers(axes)) {
      for (const NamedCorrection& correction : corrections) {
        for (const ResidualPattern residual : residuals) {
          points.push_back({quantizer, correction, residual, std::nullopt});
        }
      }
    }
  }
  for (const std::string& name : axes.schemes) {
    points.push_back({{}, {}, ResidualPattern::kNone, load_scheme(name)});
  }
  return points;
}

ReplayOptions with_point(const ReplayOptions& base, const GridPoint& point) {
  ReplayOptions options = base;
  if (point.scheme) {
    options.scheme = point.scheme;
    return options;
  }
  options.preset = point.correction.is_stochastic
                       ? with_rounding(point.preset, Rounding::kStochastic)
                       : point.preset;
  options.corrections = point.correction.options;
  options.residual.pattern = point.residual;
  if (point.correction.has_fallback()) {
    if (point.residual != ResidualPattern::kNone) {
      throw InputError("residual " + std::string(name_of(point.residual)),
                       "the fallback says what becomes of the residual");
    }
    options.residual.pattern = ResidualPattern::kDense;
  }
  return options;
}

}  // namespace nibblecore::tb
