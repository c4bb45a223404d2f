// SPDX-License-Identifier: Apache-2.0
#include "model/reference/gemm.hpp"

#include <algorithm>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/parallel.hpp"
#include "model/formats/fp32.hpp"
#include "model/reference/exact_sum.hpp"

namespace nibblecore {
namespace {

/// Whether a rounding follows `block` in a run of blocks that ends before `end`. The exact policy
/// rounds when all runs are in.
bool rounds_after(Accumulation policy, const BlockFormat& format, int64_t block, int64_t end) {
  switch (policy) {
    case Accumulation::kFp32Rne:
      return true;
    case Accumulation::kFp32Fused:
      return block + 1 == end || (block + 1) * format.block % kFusedWidth == 0;
    case Accumulation::kExact:
      return false;
  }
  throw InternalError("unknown accumulation policy");
}

/// An FP32 accumulator and the terms that its next rounding will take in.
class Accumulator {
 public:
  explicit Accumulator(uint32_t start) : bits_(start) {}

  void add(const ExactTerm& term) { terms_.push_back(term); }
  /// Rounds what was added since the last time; an infinity stays.
  void round() {
    if (!terms_.empty() && fp32_is_finite(bits_)) {
      terms_.push_back(exact_term(bits_));
      bits_ = round_sum(terms_.data(), terms_.size());
    }
    terms_.clear();
  }
  uint32_t bits() const { return bits_; }

 private:
  uint32_t bits_;
  std::vector<ExactTerm> terms_;
};

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
                       Accumulation policy, const ExactRow* residual, int64_t granule) {
  if (fp32_is_nan(c) || any_nan(a) || any_nan(b) || (residual != nullptr && any_nan(*residual))) {
    return kFp32Nan;
  }
  const auto blocks = static_cast<int64_t>(a.scales.size());
  Accumulator accumulator(c);
  const auto add_run = [&](const ExactRow& row, int64_t first, int64_t end) {
    for (int64_t block = first; block < end; ++block) {
      accumulator.add(block_dot(row, b, block, format.block));
      if (rounds_after(policy, format, block, end)) {
        accumulator.round();
      }
    }
  };
  const int64_t run =
      residual == nullptr ? blocks : std::min(blocks, ceil_divide(granule, format.block));
  for (int64_t first = 0; first < blocks; first += run) {
    const int64_t end = std::min(blocks, first + run);
    add_run(a, first, end);
    if (residual != nullptr) {
      add_run(*residual, first, end);
    }
  }
  accumulator.round();
  return accumulator.bits();
}

void reference_gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                    const uint32_t* c, uint32_t* d, int threads, const ResidualOperand* residual) {
  if (a.k != b.k || a.format.block != b.format.block || a.format.scale != b.format.scale ||
      a.format.element != b.format.element) {
    throw InputError("operands of a GEMM", "A and B differ in format or K");
  }
  if (residual != nullptr) {
    require_residual_of(*residual, a);
  }
  const std::vector<ExactRow> rows = decode_rows(a, threads);
  const std::vector<ExactRow> residual_rows =
      residual == nullptr ? std::vector<ExactRow>{} : decode_rows(residual->matrix, threads);
  const std::vector<ExactRow> columns = decode_rows(b, threads);
  const uint32_t alpha = multiply_fp32(float_bits(a.tensor_scale), float_bits(b.tensor_scale));
  const int64_t granule = residual == nullptr ? 0 : residual->granule;
  const bool scaled = alpha != float_bits(1.0F);
  parallel_for(a.rows, 4, threads, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const ExactRow* residual_row =
          residual == nullptr ? nullptr : &residual_rows[static_cast<size_t>(i)];
      for (int64_t j = 0; j < b.rows; ++j) {
        const int64_t index = i * b.rows + j;
        const uint32_t sum =
            reference_dot(rows[static_cast<size_t>(i)], columns[static_cast<size_t>(j)], a.format,
                          c == nullptr ? 0 : c[index], policy, residual_row, granule);
        d[index] = scaled ? multiply_fp32(sum, alpha) : sum;
      }
    }
  });
}

}  // namespace nibblecore
