// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// What a GEMM multiplies. All have the same format and K; the residual has A's rows.
struct GemmOperands {
  const PackedMatrix* a;
  const PackedMatrix* b;
  const PackedMatrix* residual;  ///< of A, or null
};

}  // namespace nibblecore
