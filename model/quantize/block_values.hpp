// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore {

/// A block to quantize.
struct BlockValues {
  const float* values;  ///< [block]
  /// FP32 bits, sign 0, of the magnitude that the scale is made for: the block's largest, or that
  /// of a square tile which it is a row of. HiF4 always takes the block's own.
  uint32_t largest;
  /// [block] 16 random bits each, where the rounding is stochastic; null otherwise.
  const uint16_t* random = nullptr;
};

/// The random bits of element `i`, 0 where there are none.
inline uint16_t random_bits(const BlockValues& block, int i) {
  return block.random == nullptr ? uint16_t{0} : block.random[i];
}

/// Where a quantized block goes.
struct BlockCodes {
  uint8_t* scale;  ///< the format's scale bytes
  uint8_t* codes;  ///< [block] one code a byte
  /// [block] FP32 values as the preset's own library decodes them, or null. Exact presets, and most
  /// peers, decode as dequantize() does.
  float* decoded = nullptr;
};

}  // namespace nibblecore
