// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/golden_result.hpp"

#include <cmath>

#include "model/common/bits.hpp"
#include "model/formats/bf16.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/residual_operand.hpp"
#include "model/reference/gemm.hpp"

namespace nibblecore::tb {
namespace {

constexpr int kOneThread = 1;

PackedMatrix unscaled(PackedMatrix matrix) {
  matrix.tensor_scale = 1.0F;
  return matrix;
}

std::vector<uint32_t> with_own_accumulator(const CoreGemm& gemm, const PackedMatrix& a,
                                           const PackedMatrix& b, const PackedMatrix& residual) {
  const PackedMatrix columns = unscaled(b);
  std::vector<uint32_t> sums(static_cast<size_t>(a.rows * b.rows));
  std::vector<uint32_t> residuals(sums.size());
  reference_gemm(unscaled(a), columns, Accumulation::kFp32Rne, gemm.c, sums.data(), kOneThread);
  reference_gemm(unscaled(residual), columns, Accumulation::kFp32Rne, nullptr, residuals.data(),
                 kOneThread);
  const uint32_t factor = multiply_fp32(float_bits(a.tensor_scale), float_bits(b.tensor_scale));
  for (size_t i = 0; i < sums.size(); ++i) {
    const float sum = std::fmaf(gemm.residual_alpha, bits_float(residuals[i]), bits_float(sums[i]));
    const uint32_t bits = std::isnan(sum) ? kFp32Nan : float_bits(sum);
    sums[i] = factor == float_bits(1.0F) ? bits : multiply_fp32(bits, factor);
  }
  return sums;
}

}  // namespace

std::vector<uint32_t> golden_result(const GemmSpec& spec, const CoreGemm& gemm,
                                    const PackedMatrix& a, const PackedMatrix& b,
                                    const PackedMatrix& residual) {
  std::vector<uint32_t> golden(static_cast<size_t>(spec.m * spec.n));
  if (spec.residual_accumulator == ResidualAccumulator::kOwn) {
    golden = with_own_accumulator(gemm, a, b, residual);
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
