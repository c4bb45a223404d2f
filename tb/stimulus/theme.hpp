// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/block_format.hpp"
#include "tb/stimulus/constraints.hpp"
#include "tb/stimulus/dice.hpp"

namespace nibblecore::tb {

/// What the operands of one GEMM have in common, so that rare things meet.
struct Theme {
  Range range = Range::kOrdinary;
  bool nan = false;          ///< some scales, or values of online operands, are NaN
  bool extremes = false;     ///< some scales lie at the ends of their range
  bool greatest = false;     ///< many blocks have greatest sums
  bool least = false;        ///< many scales are the least one
  bool near_powers = false;  ///< many sums are about powers of two
};

/// A theme by the constraints' probabilities. Ranges that only MXFP4 reaches become kAny.
Theme random_theme(Dice& dice, const StimulusConstraints& constraints, const BlockFormat& format);

}  // namespace nibblecore::tb
