// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/qdq.hpp"

#include <algorithm>
#include <limits>

#include <cblas.h>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/formats/dequantize.hpp"

namespace nibblecore {
namespace {

int blas_size(int64_t size, const std::string& dimension) {
  if (size > std::numeric_limits<int>::max()) {
    throw InputError("BLAS product",
                     dimension + " = " + std::to_string(size) + " is beyond what BLAS takes");
  }
  return static_cast<int>(size);
}

struct BlasShape {
  int m;
  int n;
  int k;
  int operand_stride;  ///< K, but 1 where K is 0: BLAS refuses a stride of 0
  int result_stride;
};

BlasShape blas_shape(int64_t m, int64_t n, int64_t k, int64_t k_of_b) {
  if (k != k_of_b) {
    throw InputError("BLAS product",
                     "K is " + std::to_string(k) + " in A and " + std::to_string(k_of_b) + " in B");
  }
  BlasShape shape{blas_size(m, "M"), blas_size(n, "N"), blas_size(k, "K"), 0, 0};
  shape.operand_stride = std::max(shape.k, 1);
  shape.result_stride = std::max(shape.n, 1);
  return shape;
}

size_t checked_size(int64_t rows, int64_t columns) {
  return static_cast<size_t>(checked_multiply(rows, columns, "BLAS product"));
}

std::vector<float> dequantized(const PackedMatrix& matrix, const MacroScales* macro) {
  std::vector<float> values(checked_size(matrix.rows, matrix.k));
  dequantize(matrix, values.data(), macro);
  return values;
}

std::vector<double> widened(const MatrixView& view) {
  std::vector<double> values(checked_size(view.rows, view.k));
  std::vector<float> row_values(static_cast<size_t>(view.k));
  for (int64_t row = 0; row < view.rows; ++row) {
    load_row(view, row, row_values.data());
    std::copy(row_values.begin(), row_values.end(), values.begin() + row * view.k);
  }
  return values;
}

}  // namespace

std::vector<float> qdq_product(const PackedMatrix& a, const PackedMatrix& b,
                               const MacroScales* a_macro, const MacroScales* b_macro) {
  const BlasShape shape = blas_shape(a.rows, b.rows, a.k, b.k);
  const std::vector<float> a_values = dequantized(a, a_macro);
  const std::vector<float> b_values = dequantized(b, b_macro);
  std::vector<float> product(checked_size(a.rows, b.rows));
  openblas_set_num_threads(1);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, shape.m, shape.n, shape.k, 1.0F,
              a_values.data(), shape.operand_stride, b_values.data(), shape.operand_stride, 0.0F,
              product.data(), shape.result_stride);
  return product;
}

std::vector<double> exact_product(const MatrixView& a, const MatrixView& b) {
  const BlasShape shape = blas_shape(a.rows, b.rows, a.k, b.k);
  const std::vector<double> a_values = widened(a);
  const std::vector<double> b_values = widened(b);
  std::vector<double> product(checked_size(a.rows, b.rows));
  openblas_set_num_threads(1);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, shape.m, shape.n, shape.k, 1.0,
              a_values.data(), shape.operand_stride, b_values.data(), shape.operand_stride, 0.0,
              product.data(), shape.result_stride);
  return product;
}

BlasIdentity blas_identity() { return {openblas_get_config(), openblas_get_corename()}; }

}  // namespace nibblecore
