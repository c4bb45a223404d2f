// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// The residual of operand A of a GEMM, to be multiplied by the same B into the same accumulators:
/// for each `granule` of K the dense blocks in K order, then the residual blocks of the same
/// granule in K order.
struct ResidualOperand {
  /// [M, K] in A's format under A's tensor scale.
  const PackedMatrix& matrix;
  /// A positive multiple of 64, or K or more for the whole row.
  int64_t granule;
};

/// InputError where `residual` does not go with operand `a`: another format, size or tensor scale,
/// or a granule that is neither.
void require_residual_of(const ResidualOperand& residual, const PackedMatrix& a);

}  // namespace nibblecore
