// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/e2m1_unit.hpp"
#include "model/formats/preset.hpp"

namespace nibblecore {

/// The E8M0 code of a block whose largest magnitude has the FP32 bits `largest` (sign 0): NaN for
/// infinity and NaN, 0 for zero and FP32 subnormals.
uint8_t mxfp4_scale(uint32_t largest, ScaleRule rule);

/// The E2M1 code of a finite `value` under the E8M0 code `scale` (not NaN): |value| / scale is
/// rounded exactly and saturates at 6; zeros and underflow keep their sign.
uint8_t mxfp4_code(float value, uint8_t scale, Rounding rounding);

/// Quantizes 32 FP32 values: mxfp4_scale, then mxfp4_code of each. Any NaN or infinity gives the
/// NaN scale and `code_under_nan` everywhere.
Mxfp4Unit quantize_mxfp4(const float* values, const Mxfp4Rule& rule);

}  // namespace nibblecore
