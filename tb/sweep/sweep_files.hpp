// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "tb/sweep/scale_sweep_run.hpp"
#include "tb/sweep/sweep_options.hpp"
#include "tb/sweep/sweep_result.hpp"

namespace nibblecore::tb {

// The same run gives the same bytes: no time, host or thread count is in them.

/// A line a row; skipped points have none.
void write_sweep_csv(std::ostream& out, const SweepResult& result);
/// Configuration, versions, rows (of tensors with their layer kinds), skipped points.
void write_sweep_json(std::ostream& out, const SweepOptions& options, const SweepResult& result);

/// A line a scale of each tensor, then of each group, then of the total.
void write_scale_sweep_csv(std::ostream& out, const ScaleSweepResult& result);
/// Configuration, versions, and the same as rows.
void write_scale_sweep_json(std::ostream& out, const SweepOptions& options,
                            const ScaleSweepResult& result);

}  // namespace nibblecore::tb
