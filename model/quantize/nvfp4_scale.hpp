// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/nvfp4_rule.hpp"

namespace nibblecore {

/// The FP32 factors of a whole NVFP4 tensor: values are multiplied by `encode` before the block
/// scale is found, and the product of code and block scale by `decode` afterwards.
struct Nvfp4TensorScale {
  float encode;
  float decode;
  /// The largest magnitude of the tensor that they were made for; by default that of factors of 1.
  float largest = 2688.0F;
};

/// The factors for a tensor whose largest magnitude is `largest` (TransformerEngine's formula):
/// encode = 2688 / largest held to finite numbers, or 1 where `largest` is infinite; NaN for NaN.
Nvfp4TensorScale nvfp4_tensor_scale(float largest);

/// Those of a rule. Under kDivisor `decode` is largest / 2688 rounded to FP32 (0 for a `largest`
/// under 2^-138), and the factors are 1 where that is 0 / 2688 or infinite; under kNone they are 1.
Nvfp4TensorScale nvfp4_tensor_scale(float largest, const Nvfp4Rule& rule);

/// What values are divided by in FP64 under kDivisor and kNone: largest / 2688, 1.
double nvfp4_tensor_divisor(const Nvfp4TensorScale& scale);

/// The UE4M3 code of `value` >= 0: held to 448, then nearest even; 0x7F for NaN.
uint8_t ue4m3_from_fp32(float value);

/// The value of a UE4M3 code.
float ue4m3_to_fp32(uint8_t code);

/// The scale code of a block whose largest magnitude is `largest`; under kFourOverSix the one for a
/// maximum of 6.
uint8_t nvfp4_block_scale(float largest, const Nvfp4Rule& rule, const Nvfp4TensorScale& tensor);

/// kFourOverSix's other scale code, for a maximum of 4.
uint8_t nvfp4_scale_of_four(float largest, const Nvfp4TensorScale& tensor);

}  // namespace nibblecore
