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

/// Which BLAS computes these: its version and build, and the kernels it picked for this processor.
struct BlasIdentity {
  std::string version;
  std::string kernel;
};
BlasIdentity blas_identity();

}  // namespace nibblecore
