// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tb/sweep/sweep_result.hpp"

namespace nibblecore::tb {

/// The rows that mark_pareto has marked, the cheapest first: those with cycles, then those without.
/// Empty where there are none.
std::string pareto_table(const std::vector<SweepRow>& rows);

}  // namespace nibblecore::tb
