// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tb/claims/claim.hpp"
#include "tb/claims/claim_inputs.hpp"

namespace nibblecore::tb {

/// A Markdown table, a statement a row: number, claim and source on a claim's first row, what is
/// published, every figure with its data (those that decide in bold), tolerance, verdict.
std::string claims_table(const std::vector<Claim>& claims);

/// The same as JSON, with the configuration and the rules' intervals.
void write_claims_json(std::ostream& out, const ClaimInputs& inputs,
                       const std::vector<Claim>& claims);

}  // namespace nibblecore::tb
