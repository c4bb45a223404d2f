// SPDX-License-Identifier: Apache-2.0
#include "model/formats/macro_scales.hpp"

#include <sstream>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/fp16.hpp"

namespace nibblecore {

void require_macro_scales_of(const MacroScales& macro, const PackedMatrix& matrix,
                             const std::string& place) {
  if (matrix.format.scale == ScaleKind::kUe4m3) {
    throw InputError(place, "a format with a tensor scale takes none");
  }
  if (macro.length <= 0 || macro.length % matrix.format.block != 0) {
    throw InputError(place, "length: " + std::to_string(macro.length) +
                                " is not a positive multiple of the block, " +
                                std::to_string(matrix.format.block));
  }
  const int64_t count = checked_multiply(matrix.rows, ceil_divide(matrix.k, macro.length), place);
  if (macro.factors.size() != static_cast<size_t>(count)) {
    throw InputError(place, "factors: " + std::to_string(macro.factors.size()) + " in place of " +
                                std::to_string(count));
  }
  for (size_t i = 0; i < macro.factors.size(); ++i) {
    const float factor = macro.factors[i];
    if (!(factor > 0) || !fp32_is_fp16(float_bits(factor))) {
      std::ostringstream reason;
      reason << "factors[" << i << "]: " << factor << " is not a positive finite FP16 number";
      throw InputError(place, reason.str());
    }
  }
}

}  // namespace nibblecore
