// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/e2m1_unit.hpp"
#include "model/formats/preset.hpp"
#include "model/quantize/block_values.hpp"
#include "model/quantize/nvfp4_scale.hpp"

namespace nibblecore {

/// Quantizes 16 FP32 values by `rule`, operation for operation. By TransformerEngine's formula NaN
/// propagates to the scale, and a block scale that underflows to 0 leaves saturated codes under it;
/// kLeastFp32Error and kHalfUpSixth overlook NaN.
void quantize_nvfp4_block(const BlockValues& block, const Nvfp4Rule& rule,
                          const Nvfp4TensorScale& tensor_scale, const BlockCodes& result);

/// The same for the 16 values of a block.
Nvfp4Unit quantize_nvfp4(const float* values, const Nvfp4TensorScale& tensor_scale,
                         const Nvfp4Rule& rule = {});

}  // namespace nibblecore
