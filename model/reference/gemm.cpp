// SPDX-License-Identifier: Apache-2.0
#include "model/reference/gemm.hpp"

#include <vector>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/common/parallel.hpp"
#include "model/formats/fp32.hpp"
#include "model/reference/exact_sum.hpp"

namespace nibblecore {
namespace {

std::vector<ExactRow> decode_rows(const PackedMatrix& matrix, int threads) {
  std::vector<ExactRow> rows(static_cast<size_t>(matrix.rows));
  parallel_for(matrix.rows, 16, threads, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      rows[static_cast<size_t>(row)] = decode_row(matrix, row);
    }
  });
  return rows;
}

const float* row_factors(const MacroScales* macro, int64_t row, int64_t k) {
  return macro == nullptr ? nullptr : macro->row_factors(row, k);
}

}  // namespace

void reference_gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                    const uint32_t* c, uint32_t* d, int threads, const GemmCorrections& corrections,
                    uint8_t* truncation) {
  if (a.k != b.k || a.format.block != b.format.block || a.format.scale != b.format.scale ||
      a.format.element != b.format.element) {
    throw InputError("operands of a GEMM", "A and B differ in format or K");
  }
  require_format_of(policy, a.format);
  require_corrections_of(corrections, a, b, policy);
  const ResidualOperand* residual = corrections.residual;
  const std::vector<ExactRow> rows = decode_rows(a, threads);
  const std::vector<ExactRow> residual_rows =
      residual == nullptr ? std::vector<ExactRow>{} : decode_rows(residual->matrix, threads);
  const std::vector<ExactRow> columns = decode_rows(b, threads);
  const uint32_t alpha = multiply_fp32(float_bits(a.tensor_scale), float_bits(b.tensor_scale));
  const bool scaled = alpha != float_bits(1.0F);
  parallel_for(a.rows, 4, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      DotCorrections of_dot;
      of_dot.residual = residual == nullptr ? nullptr : &residual_rows[static_cast<size_t>(i)];
      of_dot.granule = residual == nullptr ? 0 : residual->granule;
      of_dot.residual_alpha = corrections.residual_alpha;
      of_dot.macro_length = corrections.macro_length();
      of_dot.a_factors = row_factors(corrections.a_macro, i, a.k);
      of_dot.epilogue = corrections.epilogue;
      for (int64_t j = 0; j < b.rows; ++j) {
        of_dot.b_factors = row_factors(corrections.b_macro, j, b.k);
        const int64_t index = i * b.rows + j;
        const uint32_t sum =
            reference_dot(rows[static_cast<size_t>(i)], columns[static_cast<size_t>(j)], a.format,
                          c == nullptr ? 0 : c[index], policy, of_dot,
                          truncation == nullptr ? nullptr : truncation + index);
        const uint32_t result = scaled ? multiply_fp32(sum, alpha) : sum;
        d[index] = fp32_is_nan(result) ? nan_of(policy) : result;
      }
    }
  });
}

}  // namespace nibblecore
