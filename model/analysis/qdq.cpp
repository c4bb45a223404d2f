// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/qdq.hpp"

#include <algorithm>
#include <limits>

#include <cblas.h>

#include "model/analysis/blocked_rows.hpp"
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

/// The sizes as BLAS takes them.
struct BlasShape {
  explicit BlasShape(const ProductShape& shape)
      : m(blas_size(shape.m, "M")),
        n(blas_size(shape.n, "N")),
        k(blas_size(shape.k, "K")),
        operand_stride(std::max(k, 1)),
        result_stride(std::max(n, 1)) {}

  int m;
  int n;
  int k;
  int operand_stride;  ///< K, but 1 where K is 0: BLAS refuses a stride of 0
  int result_stride;
};

ProductShape product_shape(int64_t m, int64_t n, int64_t k, int64_t k_of_b) {
  if (k != k_of_b) {
    throw InputError("BLAS product",
                     "K is " + std::to_string(k) + " in A and " + std::to_string(k_of_b) + " in B");
  }
  const ProductShape shape{m, n, k};
  static_cast<void>(BlasShape(shape));  // refused before operands are made of such sizes
  return shape;
}

size_t checked_size(int64_t rows, int64_t columns) {
  return static_cast<size_t>(checked_multiply(rows, columns, "BLAS product"));
}

}  // namespace

void dequantize_rows(const PackedMatrix& matrix, const MacroScales* macro, int64_t first,
                     int64_t rows, std::vector<float>& values) {
  values.resize(checked_size(rows, matrix.k));
  for (int64_t row = 0; row < rows; ++row) {
    dequantize_row(matrix, first + row, values.data() + row * matrix.k, macro);
  }
}

void widen_rows(const MatrixView& matrix, int64_t first, int64_t rows,
                std::vector<double>& values) {
  constexpr int64_t kRows = 64;  // neighbouring rows of a transposed matrix share cache lines
  values.resize(checked_size(rows, matrix.k));
  const BlockedRows source = blocked_rows(matrix);
  std::vector<float> loaded(static_cast<size_t>(std::min(rows, kRows) * matrix.k));
  for (int64_t done = 0; done < rows; done += kRows) {
    const int64_t count = std::min(kRows, rows - done);
    load_rows(source, first + done, count, 0, matrix.k, loaded.data());
    std::copy_n(loaded.begin(), count * matrix.k, values.begin() + done * matrix.k);
  }
}

void blas_product(const ProductShape& shape, const std::vector<float>& a,
                  const std::vector<float>& b, std::vector<float>& product) {
  const BlasShape blas(shape);
  product.resize(checked_size(shape.m, shape.n));
  openblas_set_num_threads(1);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blas.m, blas.n, blas.k, 1.0F, a.data(),
              blas.operand_stride, b.data(), blas.operand_stride, 0.0F, product.data(),
              blas.result_stride);
}

void blas_product(const ProductShape& shape, const std::vector<double>& a,
                  const std::vector<double>& b, std::vector<double>& product) {
  const BlasShape blas(shape);
  product.resize(checked_size(shape.m, shape.n));
  openblas_set_num_threads(1);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blas.m, blas.n, blas.k, 1.0, a.data(),
              blas.operand_stride, b.data(), blas.operand_stride, 0.0, product.data(),
              blas.result_stride);
}

std::vector<float> qdq_product(const PackedMatrix& a, const PackedMatrix& b,
                               const MacroScales* a_macro, const MacroScales* b_macro) {
  const ProductShape shape = product_shape(a.rows, b.rows, a.k, b.k);
  std::vector<float> a_values(checked_size(a.rows, a.k));
  std::vector<float> b_values(checked_size(b.rows, b.k));
  std::vector<float> product;
  dequantize(a, a_values.data(), a_macro);
  dequantize(b, b_values.data(), b_macro);
  blas_product(shape, a_values, b_values, product);
  return product;
}

std::vector<double> exact_product(const MatrixView& a, const MatrixView& b) {
  const ProductShape shape = product_shape(a.rows, b.rows, a.k, b.k);
  std::vector<double> a_values;
  std::vector<double> b_values;
  std::vector<double> product;
  widen_rows(a, 0, a.rows, a_values);
  widen_rows(b, 0, b.rows, b_values);
  blas_product(shape, a_values, b_values, product);
  return product;
}

BlasIdentity blas_identity() { return {openblas_get_config(), openblas_get_corename()}; }

}  // namespace nibblecore
