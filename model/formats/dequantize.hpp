// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// Writes row `row` of `matrix` as FP32, `matrix.k` values, the tensor scale included (one FP32
/// multiplication where it is not 1). Values under a NaN scale are NaN.
void dequantize_row(const PackedMatrix& matrix, int64_t row, float* values);

/// Writes the whole matrix, [rows, k] row-major.
void dequantize(const PackedMatrix& matrix, float* values);

}  // namespace nibblecore
