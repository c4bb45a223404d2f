// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "tb/replay/replay_options.hpp"
#include "tb/replay/replay_plan.hpp"

namespace nibblecore::tb {

/// What the results of a replay depend on: the program and its BLAS, all options but the number of
/// threads, the manifest's bytes, and of each file of operands that the plan names the header's
/// bytes, size and time of change. Equal identities give equal reports.
boost::json::object replay_identity(const ReplayOptions& options,
                                    const std::vector<PlannedGemm>& plan);

/// Where two identities differ first: `"configuration.seed" was 1 and is 2`.
std::string first_difference(const boost::json::value& before, const boost::json::value& now);

}  // namespace nibblecore::tb
