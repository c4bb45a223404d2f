// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/emulate/emulator_target.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// Writes `matrix` as FP32, [rows, k] row-major, fast: the bits of dequantize(), the tensor scale
/// included. On up to `threads` threads (0: one per processor); neither their number nor the
/// target, which must be available, changes a bit. Large results pass by the caches.
void emulate_dequantize(const PackedMatrix& matrix, float* values, int threads,
                        EmulatorTarget target = best_emulator_target());

}  // namespace nibblecore
