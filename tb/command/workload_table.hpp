// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/workload/recipe.hpp"
#include "model/workload/workload.hpp"

namespace nibblecore::tb {

/// What a workload holds: tokens, rows and multiply-accumulates of each phase, those of a token,
/// ranks, records, and what was left out.
std::string workload_table(const Recipe& recipe, const Workload& workload);

/// The built-in models: sizes, multiply-accumulates of a token, sources.
std::string model_table();

/// The built-in recipes: every field with its mark and source, and caveats.
std::string recipe_table();

}  // namespace nibblecore::tb
