// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tb/stimulus/constraints.hpp"
#include "tb/stimulus/dice.hpp"
#include "tb/stimulus/first_term.hpp"

namespace nibblecore::tb {

/// FP32 bits for an accumulator to start from, such that adding `term` is worth watching.
/// `styles`: weights of StartStyle.
uint32_t random_start(Dice& dice, const std::vector<double>& styles, const FirstTerm& term);

}  // namespace nibblecore::tb
