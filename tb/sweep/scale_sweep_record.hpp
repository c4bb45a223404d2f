// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <boost/json/object.hpp>

#include "tb/sweep/scale_sweep_run.hpp"

namespace nibblecore::tb {

/// Every scale's figures (docs/sweep.md) for each tensor, then each group, then the total.
std::vector<boost::json::object> scale_sweep_records(const ScaleSweepResult& result);

}  // namespace nibblecore::tb
