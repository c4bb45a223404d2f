// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/formats/block_format.hpp"

namespace nibblecore::tb {

/// Quantizes every F32 and BF16 tensor T of a safetensors file along its last axis under scales
/// without rounding (scale rule `ideal`, arXiv 2605.20402's Q*), which no block format holds:
/// T.scales_f32 F32 [.., blocks], a sixth (hif4: a seventh) of each block's largest magnitude, and
/// T.dequantized F32, both rounded to FP32 once. A block of zeros has scale 0; one with a value
/// that is not finite has scale and values NaN. Errors as quantize_file.
void ideal_scale_file(const std::string& input, const std::string& output,
                      const BlockFormat& format);

}  // namespace nibblecore::tb
