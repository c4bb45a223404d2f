// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/formats/matrix_view.hpp"

namespace nibblecore {

/// A tensor as rows along the axis of its blocks: `slices` matrices of the same shape, one after
/// the other. It owns nothing.
struct BlockedRows {
  MatrixView slice;  ///< the first of them, blocks along its k
  int64_t slices = 1;
  int64_t slice_stride = 0;  ///< elements from the start of one to the start of the next
  MatrixView all;            ///< the same values as one matrix, in whatever order

  int64_t rows() const { return slices * slice.rows; }
  int64_t k() const { return slice.k; }
};

/// One matrix, blocks along k.
BlockedRows blocked_rows(const MatrixView& matrix);

/// A dense row-major tensor of any rank with blocks along `axis`, counted from the end where
/// negative; a scalar is a vector of one. InputError at `place` for an axis that the tensor lacks
/// or a size beyond 64 bits.
BlockedRows blocked_rows(const void* data, ValueType type, const std::vector<int64_t>& shape,
                         int64_t axis, const std::string& place);

/// Writes `row_count` rows from `first_row` on as FP32, of each the `k_count` values from `first_k`
/// on: [row_count, k_count].
void load_rows(const BlockedRows& tensor, int64_t first_row, int64_t row_count, int64_t first_k,
               int64_t k_count, float* values);

}  // namespace nibblecore
