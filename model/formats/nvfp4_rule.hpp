// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/rounding.hpp"

namespace nibblecore {

/// The scale of a whole tensor.
enum class Nvfp4TensorRule {
  kNone,
  /// FP32: values times 2688 / largest before, times its reciprocal behind (TransformerEngine)
  kEncodeFactor,
  /// FP64: values over largest / 2688 before, times that behind (HiFloat4 script, "PTS")
  kDivisor,
};

/// The UE4M3 scale of a block whose largest magnitude is A.
enum class Nvfp4ScaleRule {
  kFoldedSixth,  ///< A times (1/6 of the tensor's factor), in FP32; nearest even
  /// the sixth times the tensor's factor, or 1.5 times that: whichever leaves the lesser sum of
  /// absolute errors, the former where they tie (4over6); nearest even
  kFourOverSix,
  kFp64Sixth,  ///< A / 6 of the scaled tensor in FP64; nearest even
  /// A / 6 in FP32, without a tensor scale and of the numbers alone; nearest, a half goes up, and
  /// from 248 up 448 (ggml)
  kHalfUpSixth,
};

/// How an element x is made of the block's scale s.
enum class Nvfp4ElementRule {
  /// FP32: x times a rounded 1 / (s * tensor scale); NaN and -0 are code 0
  kFp32Reciprocal,
  kFp64Quotient,  ///< FP64: x / s of the scaled tensor; -0 is code 0, an infinity decodes to NaN
  /// the first code of the least FP32 error: ties toward zero, nothing is -0, an infinity and NaN
  /// are 0
  kLeastFp32Error,
};

/// An NVFP4 quantizer; by default TransformerEngine's published formula.
struct Nvfp4Rule {
  /// Of elements, but for kLeastFp32Error: gradients get kStochastic in training (arXiv
  /// 2509.25149).
  Rounding rounding = Rounding::kNearestEven;
  Nvfp4TensorRule tensor = Nvfp4TensorRule::kEncodeFactor;
  Nvfp4ScaleRule scale = Nvfp4ScaleRule::kFoldedSixth;
  Nvfp4ElementRule element = Nvfp4ElementRule::kFp32Reciprocal;
};

}  // namespace nibblecore
