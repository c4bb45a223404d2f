// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/machine/program.hpp"
#include "model/machine/tiling_candidates.hpp"

namespace nibblecore {

/// The program that takes the fewest cycles of all candidates that fit the buffers; of equally fast
/// ones the first in the order of candidate_tilings. So more buffer never makes a GEMM slower.
/// InputError where none fits, or where Program refuses the GEMM.
Program choose_program(const Machine& machine, const GemmSpec& spec,
                       const TilingChoice& choice = {});

}  // namespace nibblecore
