// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tb/claims/claim.hpp"
#include "tb/claims/claim_inputs.hpp"

namespace nibblecore::tb {

// Each file computes the claims of one question.
std::vector<Claim> decomposition_claims(const ClaimInputs& inputs);  // 1 to 5, 15
std::vector<Claim> scale_sweep_claims(const ClaimInputs& inputs);    // 6, 7
std::vector<Claim> macro_block_claims(const ClaimInputs& inputs);    // 8
std::vector<Claim> fallback_claims(const ClaimInputs& inputs);       // 9, 10
std::vector<Claim> scale_rule_claims(const ClaimInputs& inputs);     // 11, 12
std::vector<Claim> format_claims(const ClaimInputs& inputs);         // 13
std::vector<Claim> residual_claims(const ClaimInputs& inputs);       // 14
std::vector<Claim> residual_cost_claims(const ClaimInputs& inputs);  // 16

/// The claim whose sweep scale_sweep_table shows in full.
inline constexpr int kScaleSweepClaim = 7;

/// Numbers of all claims, ascending.
const std::vector<int>& claim_numbers();

/// The claims of these numbers, ascending; only what they need is computed. InputError for a number
/// that no claim has.
std::vector<Claim> compute_claims(const ClaimInputs& inputs, const std::vector<int>& numbers);

}  // namespace nibblecore::tb
