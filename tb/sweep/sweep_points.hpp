// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "tb/sweep/sweep_result.hpp"

namespace nibblecore::tb {

/// Computes every point of a grid: those for which `row_of` throws an InputError are no combination
/// and skipped with its reason. Marks the rows on the Pareto front; shows progress.
SweepResult sweep_points(SweepInputKind kind, const std::vector<GridPoint>& points,
                         const std::function<SweepRow(const GridPoint&)>& row_of);

}  // namespace nibblecore::tb
