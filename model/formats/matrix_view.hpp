// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore {

/// Types an unquantized operand may have.
enum class ValueType { kF32, kBf16 };

/// A read-only matrix [rows, k] of FP32 or BF16 numbers somewhere in memory (alignment 1), row or
/// column major: strides count elements. It owns nothing.
struct MatrixView {
  const void* data = nullptr;
  ValueType type = ValueType::kF32;
  int64_t rows = 0;
  int64_t k = 0;
  int64_t row_stride = 0;
  int64_t k_stride = 1;
};

/// A row-major view of FP32 values.
MatrixView row_major_view(const float* data, int64_t rows, int64_t k);

/// Writes row `row` as FP32 (exact for BF16), `view.k` values.
void load_row(const MatrixView& view, int64_t row, float* values);

}  // namespace nibblecore
