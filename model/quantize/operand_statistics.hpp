// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/matrix_view.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// What quantization did to the elements of an operand, as counts.
struct OperandStatistics {
  int64_t non_zero = 0;    ///< inputs that are finite and not zero; the others count nowhere
  int64_t underflows = 0;  ///< of those, the ones whose decoded value is zero
  /// Of those, the ones beyond the largest magnitude of their scales (micro-exponents and tensor
  /// scale included). Under a scale of zero there is no such magnitude: those are underflows only.
  int64_t saturations = 0;
};

/// Compares `input` [rows, k] with what became of it, on up to `threads` threads (0: one per
/// processor). Elements under a NaN scale neither underflow nor saturate. InternalError where the
/// sizes differ.
OperandStatistics operand_statistics(const MatrixView& input, const PackedMatrix& packed,
                                     int threads);

}  // namespace nibblecore
