// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/packed_matrix.hpp"
#include "model/formats/residual.hpp"

namespace nibblecore {

/// The selection S of Rollout-ResQ (arXiv 2607.26515) on a quantized residual: the same matrix with
/// +0 in place of every element that `pattern` leaves out (two_of_four.hpp, largest_half.hpp; dense
/// leaves out none). Scales stay, so a NaN block stays NaN whatever is selected of it.
/// InternalError for kNone: there then is no residual to select from.
PackedMatrix sparsify(const PackedMatrix& residual, ResidualPattern pattern, int threads);

}  // namespace nibblecore
