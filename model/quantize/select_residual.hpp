// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "model/formats/packed_matrix.hpp"
#include "model/formats/residual.hpp"
#include "model/quantize/fallback.hpp"
#include "model/quantize/quantize_rows.hpp"

namespace nibblecore {

/// What of an operand's quantized residual takes part.
struct ResidualSelection {
  ResidualPattern pattern = ResidualPattern::kDense;
  std::optional<FallbackSelection> tiles;  ///< block-selective fallback, beyond the pattern
};

/// The residual with +0 in place of every element that `selection` leaves out; scales stay.
/// `operand` gives the rows [rows, k] whose magnitudes decide on tiles: the operand's before
/// macro-block scaling. Errors as sparsify and selected_tiles.
PackedMatrix select_residual(const PackedMatrix& residual, const ResidualSelection& selection,
                             const RowSource& operand, int threads);

}  // namespace nibblecore
