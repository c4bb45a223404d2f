// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/golden_result.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/formats/bf16.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/residual_operand.hpp"
#include "model/reference/exact_operand.hpp"
#include "model/reference/exact_sum.hpp"
#include "model/reference/gemm.hpp"

namespace nibblecore::tb {
namespace {

constexpr int kOneThread = 1;

/// Sums of one output: FP32 additions of blocks, and of macro blocks' sums under their factors.
class OutputSum {
 public:
  OutputSum(const GemmSpec& spec, const CoreGemm& gemm, int64_t row, int64_t column, uint32_t start)
      : spec_(spec), sum_(start) {
    const auto factor = [&](const MacroScales* macro, int64_t of, int64_t i) {
      return macro == nullptr ? 1.0F : macro->factors.at(static_cast<size_t>(of * macros() + i));
    };
    for (int64_t i = 0; i < macros(); ++i) {
      factors_.push_back(factor(gemm.a.macro, row, i) * factor(gemm.b.macro, column, i));
    }
  }

  void add(const ExactRow& a, const ExactRow& b, int64_t block) {
    const int64_t macro =
        spec_.macro_length == 0 ? 0 : block * spec_.format.block / spec_.macro_length;
    if (macro != macro_) {
      take_in();
      macro_ = macro;
    }
    const auto at = static_cast<size_t>(block);
    uint32_t& sum = spec_.macro_length == 0 ? sum_ : tile_sum_;
    if (fp32_is_nan(sum) || a.scales.at(at).is_nan || b.scales.at(at).is_nan) {
      sum = kFp32Nan;
    } else if (fp32_is_finite(sum)) {
      const std::array<ExactTerm, 2> terms{exact_term(sum),
                                           block_dot(a, b, block, spec_.format.block)};
      sum = round_sum(terms.data(), terms.size());
    }
    any_ = true;
  }

  uint32_t result() {
    take_in();
    return sum_;
  }

 private:
  int64_t macros() const {
    return spec_.macro_length == 0 ? 0 : ceil_divide(spec_.k, spec_.macro_length);
  }

  void take_in() {
    if (spec_.macro_length == 0 || !any_) {
      return;
    }
    const float factor = factors_.at(static_cast<size_t>(macro_));
    const float tile = bits_float(tile_sum_);
    const float sum = bits_float(sum_);
    const float result = spec_.macro_epilogue == MacroEpilogue::kFused
                             ? std::fmaf(tile, factor, sum)
                             : tile * factor + sum;
    sum_ = std::isnan(result) ? kFp32Nan : float_bits(result);
    tile_sum_ = 0;
    any_ = false;
  }

  const GemmSpec& spec_;
  uint32_t sum_;
  uint32_t tile_sum_ = 0;
  int64_t macro_ = 0;
  bool any_ = false;
  std::vector<float> factors_;
};

uint32_t corrected_output(const GemmSpec& spec, const CoreGemm& gemm, int64_t row, int64_t column,
                          const ExactRow& a, const ExactRow& b, const ExactRow* residual) {
  const bool own = spec.residual_accumulator == ResidualAccumulator::kOwn;
  const uint32_t start = gemm.c == nullptr ? 0 : gemm.c[static_cast<size_t>(row * spec.n + column)];
  OutputSum sum(spec, gemm, row, column, start);
  OutputSum residual_sum(spec, gemm, row, column, 0);
  const int64_t granule = residual_granule(spec.residual_build, spec.residual_order, spec.k);
  const int64_t run = residual == nullptr ? spec.blocks() : ceil_divide(granule, spec.format.block);
  for (int64_t first = 0; first < spec.blocks(); first += run) {
    const int64_t end = std::min(spec.blocks(), first + run);
    for (int64_t block = first; block < end; ++block) {
      sum.add(a, b, block);
    }
    for (int64_t block = first; block < end && residual != nullptr; ++block) {
      (own ? residual_sum : sum).add(*residual, b, block);
    }
  }
  if (!own) {
    return sum.result();
  }
  const float both =
      std::fmaf(gemm.residual_alpha, bits_float(residual_sum.result()), bits_float(sum.result()));
  return std::isnan(both) ? kFp32Nan : float_bits(both);
}

std::vector<uint32_t> corrected(const GemmSpec& spec, const CoreGemm& gemm, const PackedMatrix& a,
                                const PackedMatrix& b, const PackedMatrix& residual) {
  const uint32_t factor = multiply_fp32(float_bits(a.tensor_scale), float_bits(b.tensor_scale));
  std::vector<uint32_t> results;
  for (int64_t row = 0; row < spec.m; ++row) {
    const ExactRow of_a = decode_row(a, row);
    std::optional<ExactRow> of_residual;
    if (spec.residual != ResidualPattern::kNone) {
      of_residual = decode_row(residual, row);
    }
    for (int64_t column = 0; column < spec.n; ++column) {
      const uint32_t sum = corrected_output(spec, gemm, row, column, of_a, decode_row(b, column),
                                            of_residual ? &*of_residual : nullptr);
      results.push_back(factor == float_bits(1.0F) ? sum : multiply_fp32(sum, factor));
    }
  }
  return results;
}

}  // namespace

std::vector<uint32_t> golden_result(const GemmSpec& spec, const CoreGemm& gemm,
                                    const PackedMatrix& a, const PackedMatrix& b,
                                    const PackedMatrix& residual) {
  std::vector<uint32_t> golden(static_cast<size_t>(spec.m * spec.n));
  if (spec.residual_accumulator == ResidualAccumulator::kOwn || spec.macro_length > 0) {
    golden = corrected(spec, gemm, a, b, residual);
  } else {
    const ResidualOperand of_a{residual,
                               residual_granule(spec.residual_build, spec.residual_order, spec.k)};
    reference_gemm(a, b, Accumulation::kFp32Rne, gemm.c, golden.data(), kOneThread,
                   spec.residual == ResidualPattern::kNone ? nullptr : &of_a);
  }
  if (spec.output == OutputWidth::kBf16) {
    for (uint32_t& bits : golden) {
      bits = bf16_to_fp32(bf16_from_fp32(bits));
    }
  }
  return golden;
}

}  // namespace nibblecore::tb
