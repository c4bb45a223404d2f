// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/machine/core_description.hpp"
#include "model/machine/cycle_counts.hpp"

namespace nibblecore {

/// Steps of a GEMM [m, k] x [k, n]: ceil(m / rows) * ceil(n / columns) * ceil(k / depth).
/// InputError where the count leaves 64 bits.
int64_t gemm_steps(const CoreDescription& core, int64_t m, int64_t n, int64_t k);

/// Cycles of that GEMM by cause, in closed form, for operands that lie packed in the operand
/// buffers and channels without back-pressure (docs/cycles.md derives it). m, n, k are positive.
CycleCounts gemm_cycles(const CoreDescription& core, int64_t m, int64_t n, int64_t k);

}  // namespace nibblecore
