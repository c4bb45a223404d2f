// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/golden_result.hpp"

#include "model/formats/gemm_corrections.hpp"
#include "model/reference/gemm.hpp"

namespace nibblecore::tb {

std::vector<uint32_t> golden_result(const GemmSpec& spec, const CoreGemm& gemm,
                                    const PackedMatrix& a, const PackedMatrix& b,
                                    const PackedMatrix& residual) {
  constexpr int kOneThread = 1;
  const ResidualOperand of_a{residual,
                             residual_granule(spec.residual_build, spec.residual_order, spec.k)};
  GemmCorrections corrections;
  if (spec.residual != ResidualPattern::kNone) {
    corrections.residual = &of_a;
    if (spec.residual_accumulator == ResidualAccumulator::kOwn) {
      corrections.residual_alpha = gemm.residual_alpha;
    }
  }
  corrections.a_macro = gemm.a.macro;
  corrections.b_macro = gemm.b.macro;
  corrections.epilogue = spec.macro_epilogue;
  std::vector<uint32_t> golden(static_cast<size_t>(spec.m * spec.n));
  reference_gemm(a, b, spec.accumulation, gemm.c, golden.data(), kOneThread, corrections);
  round_to_output(spec.output, golden);
  return golden;
}

}  // namespace nibblecore::tb
