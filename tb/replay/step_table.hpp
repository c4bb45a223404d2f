// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tb/replay/replay_options.hpp"
#include "tb/replay/step_report.hpp"

namespace nibblecore::tb {

/// Seconds of a step by phase and what bounds them, traffic, and energy where the options have an
/// energy table. InputError where that has no price for work that was done.
std::string step_table(const ReplayOptions& options, const StepReport& step);

}  // namespace nibblecore::tb
