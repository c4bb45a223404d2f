// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/sweep_points.hpp"

#include "model/common/error.hpp"
#include "tb/replay/progress.hpp"
#include "tb/sweep/pareto.hpp"

namespace nibblecore::tb {

SweepResult sweep_points(SweepInputKind kind, const std::vector<GridPoint>& points,
                         const std::function<SweepRow(const GridPoint&)>& row_of) {
  SweepResult result;
  result.kind = kind;
  Progress progress("grid points", static_cast<int64_t>(points.size()));
  for (const GridPoint& point : points) {
    try {
      result.rows.push_back(row_of(point));
    } catch (const InputError& error) {
      result.skipped.push_back({point, error.what()});
    }
    progress.advance(1);
  }
  progress.finish();
  mark_pareto(result.rows);
  return result;
}

}  // namespace nibblecore::tb
