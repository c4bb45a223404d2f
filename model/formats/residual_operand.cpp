// SPDX-License-Identifier: Apache-2.0
#include "model/formats/residual_operand.hpp"

#include <string>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/accumulation.hpp"

namespace nibblecore {

void require_residual_of(const ResidualOperand& residual, const PackedMatrix& a) {
  const std::string place = "residual of a GEMM operand";
  const PackedMatrix& matrix = residual.matrix;
  if (matrix.format.element != a.format.element || matrix.format.scale != a.format.scale ||
      matrix.format.block != a.format.block) {
    throw InputError(place, "its format differs from the operand's");
  }
  if (matrix.rows != a.rows || matrix.k != a.k) {
    throw InputError(place, "it is " + std::to_string(matrix.rows) + " x " +
                                std::to_string(matrix.k) + ", the operand " +
                                std::to_string(a.rows) + " x " + std::to_string(a.k));
  }
  if (float_bits(matrix.tensor_scale) != float_bits(a.tensor_scale)) {
    throw InputError(place, "its tensor scale differs from the operand's");
  }
  // A fused addition must not span two granules; every block length divides its width.
  const bool whole_row = residual.granule >= a.k;
  if (!whole_row && (residual.granule <= 0 || residual.granule % kFusedWidth != 0)) {
    throw InputError(place, "a granule of " + std::to_string(residual.granule) +
                                " is neither a positive multiple of 64 nor the whole K");
  }
}

}  // namespace nibblecore
