// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/macro_scales.hpp"
#include "model/formats/matrix_view.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/quantize/agreement.hpp"
#include "model/quantize/quantize_rows.hpp"

namespace nibblecore {

/// What quantization did to the elements of an operand.
struct OperandStatistics {
  int64_t non_zero = 0;    ///< inputs that are finite and not zero; the others count nowhere
  int64_t underflows = 0;  ///< of those, the ones whose decoded value is zero
  /// Of those, the ones beyond the largest magnitude of their scales (micro-exponents and tensor
  /// scale included). Under a scale of zero there is no such magnitude: those are underflows only.
  int64_t saturations = 0;
  Agreement agreement;  ///< of the decoded values with the inputs
};

OperandStatistics& operator+=(OperandStatistics& sum, const OperandStatistics& other);

/// An operand before and after quantization.
struct StatisticsInput {
  RowSource inputs;     ///< what the decoded values stand for
  RowSource quantized;  ///< what was quantized: the inputs, times macro multipliers where there are
  const PackedMatrix& packed;
  const MacroScales* macro = nullptr;  ///< factors of the decoded values, or null
};

/// Compares an operand with what became of it, on up to `threads` threads (0: one per processor),
/// whose number changes no bit. Elements under a NaN scale neither underflow nor saturate.
OperandStatistics operand_statistics(const StatisticsInput& operand, int threads);

/// The same for an operand without macro scales. InternalError where the sizes differ.
OperandStatistics operand_statistics(const MatrixView& input, const PackedMatrix& packed,
                                     int threads);

}  // namespace nibblecore
