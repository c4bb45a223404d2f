// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/object.hpp>

#include "tb/replay/replay_options.hpp"
#include "tb/replay/step_report.hpp"

namespace nibblecore::tb {

/// The object `step` of report.json (docs/step-timing.md). InputError where the energy table of the
/// options has no price for work that was done.
boost::json::object step_json(const ReplayOptions& options, const StepReport& step);

}  // namespace nibblecore::tb
