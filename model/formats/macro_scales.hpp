// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace nibblecore {

/// Factors of macro blocks, one for every `length` elements of a row along K (macro-block scaling,
/// arXiv 2603.08713): the value of an element is its code times its block's scale times its macro
/// block's factor. `length` is a positive multiple of the format's block. Factors are positive
/// finite FP16 numbers, so the product of two is exact in FP32.
struct MacroScales {
  int64_t length = 0;
  std::vector<float> factors;  ///< [rows, ceil(k / length)]
};

/// How C takes in the sum T of a macro block's products, which started at +0.
enum class MacroEpilogue {
  kFused,     ///< C = RNE(T * (factor_a * factor_b) + C)
  kSeparate,  ///< C = RNE(RNE(T * (factor_a * factor_b)) + C)
};

}  // namespace nibblecore
