// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "model/formats/packed_matrix.hpp"
#include "model/formats/preset.hpp"
#include "model/quantize/nvfp4.hpp"

namespace nibblecore {

/// Writes the FP32 values of one row; called from several threads, each row once.
using RowSource = std::function<void(int64_t row, float* values)>;

/// Fills `packed`, a matrix in the preset's format, with the rows that `source` gives, quantized as
/// quantize() does but under a tensor scale that is already known ({1, 1} for the formats that have
/// none).
void quantize_rows(const RowSource& source, const Preset& preset,
                   const Nvfp4TensorScale& tensor_scale, int threads, PackedMatrix& packed);

}  // namespace nibblecore
