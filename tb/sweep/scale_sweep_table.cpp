// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/scale_sweep_table.hpp"

#include <fmt/format.h>

#include "tb/replay/text_table.hpp"
#include "tb/sweep/cell_text.hpp"

namespace nibblecore::tb {
namespace {

void add_rows(const ScaleSweepResult& result, const ScaleSweepValues& values, TextTable& table) {
  const ScaleErrorSums& base = values.sums.front();
  for (size_t i = 0; i < values.sums.size(); ++i) {
    const ScaleErrorSums& sums = values.sums[i];
    table.add_row(
        {values.name, result.scales[i].name, decimals(sums.total / base.total, 4),
         std::isfinite(sums.relative_error()) ? fmt::format("{:.3e}", sums.relative_error()) : "-",
         decimals(sums.scale / base.total, 4), decimals(sums.grid / base.total, 4),
         decimals(sums.dead_zone / base.total, 4), decimals(sums.scale_grid_cosine(), 3),
         decimals(sums.gain / sums.signal, 5)});
  }
}

}  // namespace

std::string scale_sweep_table(const ScaleSweepResult& result) {
  TextTable table({"values", "scale"},
                  {"error", "rel. error", "scale part", "grid", "dead zone", "cos(sc,gr)", "gain"});
  for (const ScaleSweepValues& group : result.groups) {
    add_rows(result, group, table);
  }
  add_rows(result, result.total, table);
  return fmt::format("blocks of {}; error and its parts over the error under E8M0 rounded up\n\n",
                     result.format.block) +
         table.text();
}

}  // namespace nibblecore::tb
