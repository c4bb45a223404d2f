// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/formats/preset.hpp"
#include "model/formats/residual.hpp"
#include "model/scheme/scheme.hpp"
#include "tb/replay/replay_options.hpp"
#include "tb/sweep/named_correction.hpp"

namespace nibblecore::tb {

/// The axes of a grid by name; an axis without names has its default.
struct GridAxes {
  std::vector<std::string> formats;      ///< all formats that have one of the presets
  std::vector<std::string> presets;      ///< the default of each format; `all`: all of each
  std::vector<std::string> corrections;  ///< none
  std::vector<std::string> residuals;    ///< none
  std::vector<std::string> schemes;      ///< none; given alone, they are the whole grid
};

/// One combination: quantizer, corrections and residual, or a scheme, which says all of that.
struct GridPoint {
  Preset preset;
  NamedCorrection correction;
  ResidualPattern residual = ResidualPattern::kNone;
  std::optional<Scheme> scheme;
};

/// Every combination of formats and presets, corrections, residuals, the last changing fastest,
/// then the schemes. InputError naming the option for an unknown name, or a format that has none
/// of the presets.
std::vector<GridPoint> grid_points(const GridAxes& axes);

/// `base` with what the point says in it. InputError where its parts do not go together; others are
/// found by whatever works with the options.
ReplayOptions with_point(const ReplayOptions& base, const GridPoint& point);

}  // namespace nibblecore::tb
