// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/e2m1_unit.hpp"

namespace nibblecore {

/// The FP32 factors of a whole NVFP4 tensor: values are multiplied by `encode` before the block
/// scale is found, and the product of code and block scale by `decode` afterwards.
struct Nvfp4TensorScale {
  float encode;
  float decode;
};

/// The factors for a tensor whose largest magnitude is `largest` (TransformerEngine's formula):
/// encode = 2688 / largest held to finite numbers, or 1 where `largest` is infinite; NaN for NaN.
Nvfp4TensorScale nvfp4_tensor_scale(float largest);

/// The UE4M3 code of `value` >= 0: held to 448, then nearest even; 0x7F for NaN.
uint8_t ue4m3_from_fp32(float value);

/// Quantizes 16 FP32 values by TransformerEngine's reference formula, FP32 operation for operation:
/// NaN propagates to the scale, a block scale that underflows to 0 leaves saturated codes under it.
Nvfp4Unit quantize_nvfp4(const float* values, const Nvfp4TensorScale& tensor_scale);

}  // namespace nibblecore
