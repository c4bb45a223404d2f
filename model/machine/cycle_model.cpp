// SPDX-License-Identifier: Apache-2.0
#include "model/machine/cycle_model.hpp"

#include "model/common/checked.hpp"

namespace nibblecore {
namespace {

// Pipeline stages in front of the array (sequencer, operand buffers) and behind it (accumulators,
// store); each takes one cycle.
constexpr int64_t kStagesBeforeArray = 2;
constexpr int64_t kStagesAfterArray = 2;

}  // namespace

int64_t gemm_steps(const CoreDescription& core, int64_t m, int64_t n, int64_t k) {
  const char* place = "steps of a GEMM";
  const int64_t tiles =
      checked_multiply(ceil_divide(m, core.rows), ceil_divide(n, core.columns), place);
  return checked_multiply(tiles, ceil_divide(k, core.depth), place);
}

CycleCounts gemm_cycles(const CoreDescription& core, int64_t m, int64_t n, int64_t k) {
  return {gemm_steps(core, m, n, k), kStagesBeforeArray, kStagesAfterArray, 0};
}

}  // namespace nibblecore
