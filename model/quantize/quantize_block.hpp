// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/preset.hpp"
#include "model/quantize/block_values.hpp"
#include "model/quantize/nvfp4.hpp"

namespace nibblecore {

/// The longest block of a format.
inline constexpr int kLongestBlock = 64;

/// Quantizes one block, `preset.format.block` values, under whichever rule the preset holds.
/// `tensor_scale` is {1, 1} for the formats that have none.
void quantize_block(const BlockValues& block, const Preset& preset,
                    const Nvfp4TensorScale& tensor_scale, const BlockCodes& result);

}  // namespace nibblecore
