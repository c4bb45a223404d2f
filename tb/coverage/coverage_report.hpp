// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tb/coverage/coverage.hpp"

namespace nibblecore::tb {

/// A table for a terminal: a row a point with bins hit of bins reachable, groups summed; below it
/// the holes, the bins hit against their declaration, and the unreachable bins with their reasons.
std::string coverage_table(const Coverage& coverage);

/// The same as JSON: {"points": [{group, name, bins: [{name, hits, unreachable?}]}], "holes": n,
/// "surprises": n}.
std::string coverage_json(const Coverage& coverage);

}  // namespace nibblecore::tb
