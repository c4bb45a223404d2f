// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/blocked_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "model/common/checked.hpp"

namespace nibblecore {
namespace {

/// The matrix that starts at element `offset` of `view`'s data.
MatrixView part(const MatrixView& view, int64_t offset, int64_t rows, int64_t k) {
  const int64_t bytes = view.type == ValueType::kF32 ? 4 : 2;
  MatrixView result = view;
  result.data = static_cast<const std::byte*>(view.data) + offset * bytes;
  result.rows = rows;
  result.k = k;
  return result;
}

/// Neighbouring rows that share cache lines: their columns are short runs of memory.
void load_columns(const MatrixView& view, std::vector<float>& column, float* values) {
  MatrixView columns = view;
  std::swap(columns.rows, columns.k);
  std::swap(columns.row_stride, columns.k_stride);
  column.resize(static_cast<size_t>(view.rows));
  for (int64_t i = 0; i < view.k; ++i) {
    load_row(columns, i, column.data());
    for (int64_t row = 0; row < view.rows; ++row) {
      values[row * view.k + i] = column[static_cast<size_t>(row)];
    }
  }
}

}  // namespace

BlockedRows blocked_rows(const MatrixView& matrix) { return {matrix, 1, 0, matrix}; }

BlockedRows blocked_rows(const void* data, ValueType type, const std::vector<int64_t>& shape,
                         int64_t axis, const std::string& place) {
  const std::vector<int64_t> sizes = shape.empty() ? std::vector<int64_t>{1} : shape;
  const auto rank = static_cast<int64_t>(sizes.size());
  const int64_t position = axis < 0 ? axis + rank : axis;
  if (position < 0 || position >= rank) {
    throw InputError(
        place, "has no axis " + std::to_string(axis) + " (it has " + std::to_string(rank) + ")");
  }
  int64_t outer = 1;
  int64_t inner = 1;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t& side = i < position ? outer : inner;
    if (i != position) {
      side = checked_multiply(side, sizes[static_cast<size_t>(i)], place);
    }
  }
  const int64_t k = sizes[static_cast<size_t>(position)];
  const int64_t slice = checked_multiply(inner, k, place);
  checked_multiply(outer, slice, place);
  checked_multiply(outer, inner, place);
  if (inner == 1) {
    return blocked_rows(MatrixView{data, type, outer, k, k, 1});
  }
  return {MatrixView{data, type, inner, k, 1, inner}, outer, slice,
          MatrixView{data, type, outer * k, inner, inner, 1}};
}

void load_rows(const BlockedRows& tensor, int64_t first_row, int64_t row_count, int64_t first_k,
               int64_t k_count, float* values) {
  const MatrixView& slice = tensor.slice;
  std::vector<float> column;
  for (int64_t done = 0; done < row_count;) {
    const int64_t row = first_row + done;
    const int64_t row_of_slice = row % slice.rows;
    const int64_t count = std::min(row_count - done, slice.rows - row_of_slice);
    const MatrixView rows = part(slice,
                                 row / slice.rows * tensor.slice_stride +
                                     row_of_slice * slice.row_stride + first_k * slice.k_stride,
                                 count, k_count);
    float* const target = values + done * k_count;
    if (slice.row_stride == 1 && slice.k_stride != 1) {
      load_columns(rows, column, target);
    } else {
      for (int64_t i = 0; i < count; ++i) {
        load_row(rows, i, target + i * k_count);
      }
    }
    done += count;
  }
}

}  // namespace nibblecore
