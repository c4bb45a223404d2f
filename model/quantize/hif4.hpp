// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/hif4_unit.hpp"
#include "model/formats/preset.hpp"
#include "model/quantize/block_values.hpp"

namespace nibblecore {

/// Quantizes 64 FP32 values (arXiv 2602.11287, Algorithm 1, made exact by `rule`). Elements above
/// 1.75 units saturate there, negative ones that round to zero keep their sign. `random`: [64] 16
/// bits each where the rounding is stochastic.
Hif4Unit quantize_hif4(const float* values, const Hif4Rule& rule, const uint16_t* random = nullptr);

/// The same, to where a block's codes go: four scale bytes, 64 codes. What the preset's own library
/// decodes differs from the unit's value under Hif4Range::kUnbounded, where it knows the scale that
/// the code does not hold, and for the NaN inputs of Hif4NonFinite::kByComparison.
void quantize_hif4_block(const BlockValues& block, const Hif4Rule& rule, const BlockCodes& result);

}  // namespace nibblecore
