// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/formats/block_format.hpp"

namespace nibblecore {

/// Packed blocks side by side and where their values go.
struct DequantizeSpan {
  const uint8_t* codes;
  const uint8_t* scales;
  int64_t count;  ///< values; a multiple of 64
  float* values;
};

/// Values of E2M1 blocks of 16, 32 or 64 under E8M0 or UE4M3 scales, times `tensor_scale` (each
/// product rounded to FP32).
void dequantize_e2m1_span(const DequantizeSpan& span, const BlockFormat& format, float tensor_scale,
                          EmulatorTarget target);

/// Values of HiF4 units, times `tensor_scale`.
void dequantize_hif4_span(const DequantizeSpan& span, float tensor_scale, EmulatorTarget target);

}  // namespace nibblecore
