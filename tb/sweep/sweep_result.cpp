// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/sweep_result.hpp"

#include <algorithm>
#include <cmath>

namespace nibblecore::tb {

std::optional<double> SweepPart::relative_error() const {
  const double ratio = noise.noise() / noise.signal();
  return std::isfinite(ratio) ? std::optional<double>(ratio) : std::nullopt;
}

SweepPart& part_of(std::vector<SweepPart>& parts, const std::string& name) {
  const auto found = std::find_if(parts.begin(), parts.end(),
                                  [&](const SweepPart& part) { return part.name == name; });
  if (found != parts.end()) {
    return *found;
  }
  parts.emplace_back().name = name;
  return parts.back();
}

}  // namespace nibblecore::tb
