// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/sweep/sweep_result.hpp"

namespace nibblecore::tb {

/// `value` with so many decimals; "-" where there is none, or it is not finite.
std::string decimals(const std::optional<double>& value, int digits);
/// The same with four digits and an exponent.
std::string scientific(const std::optional<double>& value);

/// A part's cycles, or "-".
std::string cycles_text(const SweepPart& part);

/// The four cells that say which grid point a row is.
std::vector<std::string> point_cells(const GridPoint& point);
/// The same as a phrase.
std::string point_text(const GridPoint& point);

}  // namespace nibblecore::tb
