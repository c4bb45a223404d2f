// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/e2m1_unit.hpp"
#include "model/formats/preset.hpp"
#include "model/quantize/block_values.hpp"

namespace nibblecore {

/// The E8M0 code of a block whose largest magnitude has the FP32 bits `largest` (sign 0): NaN for
/// infinity and NaN, 0 for zero and FP32 subnormals (kFourThirds: 1). InternalError for
/// kBestPowerOfTwo and kIdeal, which it alone does not decide.
uint8_t mxfp4_scale(uint32_t largest, ScaleRule rule);

/// The E2M1 code of a finite `value` under the E8M0 code `scale` (not NaN): |value| / scale is
/// rounded exactly and saturates at 6; zeros and underflow keep their sign.
uint8_t mxfp4_code(float value, uint8_t scale, Rounding rounding);

/// Quantizes `size` FP32 values (32, or another length that shares one scale): mxfp4_scale or
/// mxfp4_best_power_of_two, then the code of each (kFourThirds: under a third of the code's scale,
/// exactly; scale_factor() restores it). Any NaN or infinity gives the NaN scale and
/// `code_under_nan` everywhere. With quirks: what that peer does (quantize_mxfp4_peer_block).
void quantize_mxfp4_block(const BlockValues& block, int size, const Mxfp4Rule& rule,
                          const BlockCodes& result);

/// The same for the 32 values of an MXFP4 block.
Mxfp4Unit quantize_mxfp4(const float* values, const Mxfp4Rule& rule);

}  // namespace nibblecore
