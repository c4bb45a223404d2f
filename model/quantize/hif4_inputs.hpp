// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/formats/hif4_rule.hpp"

namespace nibblecore {

/// The values of a HiF4 unit as its quantizer goes on with them: rounded to the rule's input, those
/// that are not finite replaced by 0 under Hif4NonFinite::kCountAsZero.
struct Hif4Inputs {
  std::array<float, 64> values{};
  std::array<float, 64> magnitudes{};
  bool has_nan = false;
  bool all_finite = true;  ///< before any replacement
};

Hif4Inputs hif4_inputs(const float* values, const Hif4Rule& rule);

/// Largest magnitudes of the 16 groups of 4, the 8 groups of 8 and the unit; of the unit NaN where
/// the policy has it so.
struct Hif4Maxima {
  std::array<float, 16> of_4{};
  std::array<float, 8> of_8{};
  float of_all = 0;
};

Hif4Maxima hif4_maxima(const Hif4Inputs& inputs, Hif4NonFinite policy);

}  // namespace nibblecore
