// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/hif4_rule.hpp"

namespace nibblecore {

/// The level-1 scale of a HiF4 unit.
struct Hif4Scale {
  uint8_t code;  ///< E6M2
  float value;   ///< what the quantizer takes the scale for: not always what the code holds
  float
      reciprocal;  ///< a BF16 number, what elements are multiplied by; NaN: no fields but the code
  bool has_micro_exponents = true;  ///< false: they are 0 whatever the group maxima
};

/// The scale of a unit whose largest magnitude is `largest`, infinite or NaN where the rule's
/// policy for values that are not finite has it so.
Hif4Scale hif4_scale(float largest, const Hif4Rule& rule);

}  // namespace nibblecore
