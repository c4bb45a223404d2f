// SPDX-License-Identifier: Apache-2.0
#include "model/formats/dequantize.hpp"

#include <algorithm>

#include "model/formats/e2m1_unit.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/hif4_unit.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

void dequantize_hif4_row(const PackedMatrix& matrix, int64_t row, float* values) {
  for (int64_t block = 0; block < matrix.blocks(); ++block) {
    Hif4Unit unit;
    unpack_hif4_scale(matrix.row_scales(row) + block * kHif4ScaleBytes, unit);
    for (size_t i = 0; i < unit.codes.size(); ++i) {
      unit.codes[i] = packed_code(matrix.row_codes(row), block * 64 + static_cast<int64_t>(i));
    }
    const auto decoded = decode(unit);
    const int64_t count = std::min<int64_t>(64, matrix.k - block * 64);
    std::copy_n(decoded.begin(), count, values + block * 64);
  }
}

void dequantize_e2m1_row(const PackedMatrix& matrix, int64_t row, float* values) {
  const NumberFormat& scale = matrix.format.scale == ScaleKind::kE8m0 ? kE8m0Format : kUe4m3Format;
  const uint8_t* codes = matrix.row_codes(row);
  for (int64_t block = 0; block < matrix.blocks(); ++block) {
    const E2m1Values decoded(matrix.row_scales(row)[block], scale);
    const int64_t end = std::min(matrix.k, (block + 1) * matrix.format.block);
    for (int64_t i = block * matrix.format.block; i < end; ++i) {
      values[i] = decoded[packed_code(codes, i)];
    }
  }
}

void multiply_by_factors(const MacroScales& macro, int64_t row, int64_t k, float* values) {
  const float* factors = macro.row_factors(row, k);
  for (int64_t i = 0; i < k; ++i) {
    values[i] *= factors[i / macro.length];
  }
}

}  // namespace

void dequantize_row(const PackedMatrix& matrix, int64_t row, float* values,
                    const MacroScales* macro) {
  if (matrix.format.scale == ScaleKind::kHif4) {
    dequantize_hif4_row(matrix, row, values);
  } else {
    dequantize_e2m1_row(matrix, row, values);
  }
  if (matrix.tensor_scale != 1.0F) {
    for (int64_t i = 0; i < matrix.k; ++i) {
      values[i] *= matrix.tensor_scale;
    }
  }
  if (macro != nullptr) {
    multiply_by_factors(*macro, row, matrix.k, values);
  }
}

void dequantize(const PackedMatrix& matrix, float* values, const MacroScales* macro) {
  if (macro != nullptr) {
    require_macro_scales_of(*macro, matrix, "macro scales of a dequantized matrix");
  }
  for (int64_t row = 0; row < matrix.rows; ++row) {
    dequantize_row(matrix, row, values + row * matrix.k, macro);
  }
}

}  // namespace nibblecore
