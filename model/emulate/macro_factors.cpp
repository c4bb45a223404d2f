// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/macro_factors.hpp"

#include "model/common/checked.hpp"

namespace nibblecore {

MacroFactors::MacroFactors(const MacroScales* macro, int64_t rows, int64_t k, int64_t length,
                           int64_t tile)
    : stride_(ceil_divide(rows, tile) * tile) {
  const int64_t blocks = ceil_divide(k, length);
  factors_.assign(static_cast<size_t>(checked_multiply(stride_, blocks, "factors")), 1.0F);
  for (int64_t row = 0; macro != nullptr && row < rows; ++row) {
    const float* const of_row = macro->row_factors(row, k);
    for (int64_t block = 0; block < blocks; ++block) {
      factors_[static_cast<size_t>(block * stride_ + row)] = of_row[block];
    }
  }
}

}  // namespace nibblecore
