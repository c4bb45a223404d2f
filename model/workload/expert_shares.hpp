// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/workload/recipe.hpp"

namespace nibblecore {

/// Which share of the tokens each of `experts` experts gets, in the order of the experts, which
/// the seed shuffles. Shares are positive; their sum is not 1 exactly.
std::vector<double> expert_shares(const ExpertLaw& law, int64_t experts, uint64_t seed);

/// How many of `tokens` tokens each expert computes where every token chooses `chosen` different
/// ones: whole numbers nearest to the shares by largest remainder, none above `tokens`, their sum
/// tokens * chosen exactly. InputError where that product leaves 64 bits.
std::vector<int64_t> expert_tokens(const std::vector<double>& shares, int64_t tokens,
                                   int64_t chosen);

}  // namespace nibblecore
