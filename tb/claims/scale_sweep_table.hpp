// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tb/claims/claim_inputs.hpp"

namespace nibblecore::tb {

/// The scale-precision sweep behind claims 6 and 7 as a Markdown table: total squared error of E2M1
/// blocks of 32 under scales of k mantissa bits, over that of k = 0 rounded up, Gaussian data (t40
/// in brackets). The sweep of arXiv 2605.20402 is published as a figure without numbers.
std::string scale_sweep_table(const ClaimInputs& inputs);

}  // namespace nibblecore::tb
