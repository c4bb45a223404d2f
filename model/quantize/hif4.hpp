// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/hif4_unit.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore {

/// Quantizes 64 FP32 values (arXiv 2602.11287, Algorithm 1, made exact by `rule`). The level-1
/// scale is held within [2^-48, 49152]; larger elements saturate at 1.75 units, negative ones that
/// round to zero keep their sign. Values that are not finite (after rounding to the rule's input
/// precision) count as 0, and the E6M2 code becomes NaN; the other fields stay as computed.
Hif4Unit quantize_hif4(const float* values, const Hif4Rule& rule);

}  // namespace nibblecore
