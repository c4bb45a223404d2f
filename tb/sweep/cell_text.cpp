// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/cell_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tb/replay/text_table.hpp"

namespace nibblecore::tb {

std::string decimals(const std::optional<double>& value, int digits) {
  return value && std::isfinite(*value) ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string scientific(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{:.3e}", *value) : "-";
}

std::string cycles_text(const SweepPart& part) { return part.cycles ? grouped(*part.cycles) : "-"; }

std::vector<std::string> point_cells(const GridPoint& point) {
  if (point.scheme) {
    return {"scheme", point.scheme->name, "", ""};
  }
  return {std::string(point.preset.format.name), point.preset.name, point.correction.name,
          std::string(name_of(point.residual))};
}

std::string point_text(const GridPoint& point) {
  const std::vector<std::string> cells = point_cells(point);
  return point.scheme ? "scheme " + cells[1]
                      : fmt::format("{} {}, corrections {}, residual {}", cells[0], cells[1],
                                    cells[2], cells[3]);
}

}  // namespace nibblecore::tb
