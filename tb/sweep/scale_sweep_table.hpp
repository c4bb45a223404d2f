// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tb/sweep/scale_sweep_run.hpp"

namespace nibblecore::tb {

/// The scale sweep for a terminal: groups and total.
std::string scale_sweep_table(const ScaleSweepResult& result);

}  // namespace nibblecore::tb
