// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/macro_scales.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// Writes row `row` of `matrix` as FP32, `matrix.k` values, the tensor scale included (one FP32
/// multiplication where it is not 1). Values under a NaN scale are NaN. Where `macro` is given,
/// which must go with the matrix, each value is then multiplied by its macro block's factor and
/// rounded to FP32.
void dequantize_row(const PackedMatrix& matrix, int64_t row, float* values,
                    const MacroScales* macro = nullptr);

/// Writes the whole matrix, [rows, k] row-major. InputError where `macro` does not go with it.
void dequantize(const PackedMatrix& matrix, float* values, const MacroScales* macro = nullptr);

}  // namespace nibblecore
