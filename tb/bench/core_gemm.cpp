// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/core_gemm.hpp"

namespace nibblecore::tb {

CoreOperand packed_operand(const PackedMatrix& matrix) {
  CoreOperand operand;
  operand.packed = &matrix;
  operand.tensor_scale = matrix.tensor_scale;
  return operand;
}

}  // namespace nibblecore::tb
