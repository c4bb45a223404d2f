// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tb/sweep/sweep_result.hpp"

namespace nibblecore::tb {

/// A sweep for a terminal: every row, why some have no cycles, what was skipped and why, and the
/// rows that no other dominates, by what they cost.
std::string sweep_table(const SweepResult& result);

}  // namespace nibblecore::tb
