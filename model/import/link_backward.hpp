// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/import/import_counts.hpp"
#include "model/import/profiled_gemm.hpp"

namespace nibblecore {

/// Finds the forward GEMM of every backward one and tells dgrad from wgrad; counts how. `gemms` are
/// in program order. The forward GEMM is the last one before it in its process, of the operator
/// that the function's name says, that bears the function's sequence number, ran on the thread that
/// the function names (where both are known) and fits by shape. Sequence numbers alone don't do: an
/// operator that needs no gradient bears the number of the next that does.
void link_backward(std::vector<ProfiledGemm>& gemms, ImportCounts& counts);

}  // namespace nibblecore
