// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tb/sweep/sweep_options.hpp"
#include "tb/sweep/sweep_result.hpp"

namespace nibblecore::tb {

/// Replays a trace at every grid point: values by the emulator, cycles by the machine's cycle
/// model. A combination that can't be is skipped, one that the core alone can't do has no cycles;
/// both with the reason. InputError for whatever is wrong with the trace or the filter, before any
/// work.
SweepResult sweep_trace(const SweepOptions& options);

}  // namespace nibblecore::tb
