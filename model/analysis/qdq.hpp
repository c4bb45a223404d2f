// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/formats/macro_scales.hpp"
#include "model/formats/matrix_view.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// What frameworks compute in place of a 4-bit GEMM: both operands dequantized to FP32 (tensor
/// scales and macro scales included) and one BLAS SGEMM on one thread. A [M,K] times B [N,K]
/// transposed gives [M,N]. InputError where K differs, a size does not fit BLAS's int, or macro
/// scales do not go with their operand. Sets OpenBLAS's number of threads to 1, for the whole
/// process.
std::vector<float> qdq_product(const PackedMatrix& a, const PackedMatrix& b,
                               const MacroScales* a_macro = nullptr,
                               const MacroScales* b_macro = nullptr);

/// The unquantized operands, A [M,K] times B [N,K] transposed, multiplied in FP64 by one DGEMM on
/// one thread: [M,N]. Products of FP32 numbers are exact in it, their sum is not. Errors and
/// threads as above.
std::vector<double> exact_product(const MatrixView& a, const MatrixView& b);

// The parts of these two, for who multiplies a large product piece by piece. A row of the product
// has the same bits whatever the rows beside it are only as far as BLAS keeps to one order of sums.

/// Rows [first, first + rows) of a packed matrix as a framework has them, into `values` [rows, k].
void dequantize_rows(const PackedMatrix& matrix, const MacroScales* macro, int64_t first,
                     int64_t rows, std::vector<float>& values);

/// Rows [first, first + rows) of an unquantized one, into `values` [rows, k].
void widen_rows(const MatrixView& matrix, int64_t first, int64_t rows, std::vector<double>& values);

/// Sizes of a product.
struct ProductShape {
  int64_t m;
  int64_t n;
  int64_t k;
};

/// One SGEMM or DGEMM on one thread: `a` [m, k] times `b` [n, k] transposed into `product` [m, n].
void blas_product(const ProductShape& shape, const std::vector<float>& a,
                  const std::vector<float>& b, std::vector<float>& product);
void blas_product(const ProductShape& shape, const std::vector<double>& a,
                  const std::vector<double>& b, std::vector<double>& product);

/// Which BLAS computes these: its version and build, and the kernels it picked for this processor.
struct BlasIdentity {
  std::string version;
  std::string kernel;
};
BlasIdentity blas_identity();

}  // namespace nibblecore
