// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/macro_epilogue.hpp"

#include <algorithm>

#include "model/emulate/multiply_add.hpp"

namespace nibblecore {

void take_in_macro_block(float a_factor, const ColumnFactors& b_factors, MacroEpilogue epilogue,
                         float* sums, float* accumulators) {
  // The product of two FP16 factors is exact.
  if (epilogue == MacroEpilogue::kFused) {
    for (size_t i = 0; i < b_factors.size(); ++i) {
      accumulators[i] = multiply_add(sums[i], a_factor * b_factors[i], accumulators[i]);
    }
  } else {
    for (size_t i = 0; i < b_factors.size(); ++i) {
      accumulators[i] += sums[i] * (a_factor * b_factors[i]);
    }
  }
  std::fill_n(sums, b_factors.size(), 0.0F);
}

}  // namespace nibblecore
