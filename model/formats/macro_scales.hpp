// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/common/checked.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// Factors of macro blocks, one for every `length` elements of a row along K (macro-block scaling,
/// arXiv 2603.08713): the value of an element is its code times its block's scale times its macro
/// block's factor. `length` is a positive multiple of the format's block. Factors are positive
/// finite FP16 numbers, so the product of two is exact in FP32.
struct MacroScales {
  int64_t length = 0;
  std::vector<float> factors;  ///< [rows, ceil(k / length)]

  /// Factors of a row of `k` elements, one a macro block.
  const float* row_factors(int64_t row, int64_t k) const {
    return factors.data() + row * ceil_divide(k, length);
  }
};

/// How C takes in the sum T of a macro block's products, which started at +0.
enum class MacroEpilogue {
  kFused,     ///< C = RNE(T * (factor_a * factor_b) + C)
  kSeparate,  ///< C = RNE(RNE(T * (factor_a * factor_b)) + C)
};

/// InputError at `place` where `macro` does not go with `matrix`: a format whose tensors have a
/// scale already (UE4M3 block scales), a length that is no positive multiple of the block, another
/// number of factors, or a factor that is not a positive finite FP16 number.
void require_macro_scales_of(const MacroScales& macro, const PackedMatrix& matrix,
                             const std::string& place);

}  // namespace nibblecore
