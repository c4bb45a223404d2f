// SPDX-License-Identifier: Apache-2.0
#include "model/reference/gemm.hpp"

#include <algorithm>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/common/parallel.hpp"
#include "model/formats/fp32.hpp"
#include "model/reference/exact_sum.hpp"

namespace nibblecore {
namespace {

/// Blocks between two roundings.
size_t blocks_a_rounding(Accumulation policy, const BlockFormat& format, size_t blocks) {
  switch (policy) {
    case Accumulation::kFp32Rne:
      return 1;
    case Accumulation::kFp32Fused:
      return static_cast<size_t>(kFusedWidth / format.block);
    case Accumulation::kExact:
      return std::max<size_t>(blocks, 1);
  }
  throw InternalError("unknown accumulation policy");
}

bool any_nan(const ExactRow& row) {
  return std::any_of(row.scales.begin(), row.scales.end(),
                     [](const ExactScale& scale) { return scale.is_nan; });
}

std::vector<ExactRow> decode_rows(const PackedMatrix& matrix, int threads) {
  std::vector<ExactRow> rows(static_cast<size_t>(matrix.rows));
  parallel_for(matrix.rows, 16, threads, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      rows[static_cast<size_t>(row)] = decode_row(matrix, row);
    }
  });
  return rows;
}

}  // namespace

uint32_t reference_dot(const ExactRow& a, const ExactRow& b, const BlockFormat& format, uint32_t c,
                       Accumulation policy) {
  if (fp32_is_nan(c) || any_nan(a) || any_nan(b)) {
    return kFp32Nan;
  }
  const size_t blocks = a.scales.size();
  const size_t group = blocks_a_rounding(policy, format, blocks);
  std::vector<ExactTerm> terms(group + 1);
  uint32_t accumulator = c;
  for (size_t first = 0; first < blocks && fp32_is_finite(accumulator); first += group) {
    const size_t count = std::min(group, blocks - first);
    terms[0] = exact_term(accumulator);
    for (size_t i = 0; i < count; ++i) {
      terms[i + 1] = block_dot(a, b, static_cast<int64_t>(first + i), format.block);
    }
    accumulator = round_sum(terms.data(), count + 1);
  }
  return accumulator;
}

void reference_gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                    const uint32_t* c, uint32_t* d, int threads) {
  if (a.k != b.k || a.format.block != b.format.block || a.format.scale != b.format.scale ||
      a.format.element != b.format.element) {
    throw InputError("operands of a GEMM", "A and B differ in format or K");
  }
  const std::vector<ExactRow> rows = decode_rows(a, threads);
  const std::vector<ExactRow> columns = decode_rows(b, threads);
  const uint32_t alpha = multiply_fp32(float_bits(a.tensor_scale), float_bits(b.tensor_scale));
  const bool scaled = alpha != float_bits(1.0F);
  parallel_for(a.rows, 4, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t j = 0; j < b.rows; ++j) {
        const int64_t index = i * b.rows + j;
        const uint32_t sum =
            reference_dot(rows[static_cast<size_t>(i)], columns[static_cast<size_t>(j)], a.format,
                          c == nullptr ? 0 : c[index], policy);
        d[index] = scaled ? multiply_fp32(sum, alpha) : sum;
      }
    }
  });
}

}  // namespace nibblecore
