// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/gemm_bench.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "model/common/error.hpp"
#include "model/emulate/emulated_gemm.hpp"
#include "model/emulate/gemm.hpp"
#include "model/emulate/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/two_of_four.hpp"
#include "model/reference/gemm.hpp"
#include "tests/bench/multiply_peak.hpp"
#include "tests/bench/paired_rates.hpp"
#include "tests/bench/sgemm_peer.hpp"

namespace nibblecore::bench {
namespace {

constexpr int64_t kSize = 2048;
constexpr double kProducts = double{kSize} * kSize * kSize;

constexpr int64_t kMacroLength = 128;
constexpr uint32_t kSeedOfA = 1;
constexpr uint32_t kSeedOfB = 2;

PackedMatrix quantized(const BlockFormat& format, uint32_t seed) {
  const std::vector<float> values = gaussian(kSize, kSize, seed);
  return emulate_quantize(row_major_view(values.data(), kSize, kSize), preset(format, ""), 0);
}

/// The two largest of every four of what quantizing A left over.
PackedMatrix two_of_four_residual(const PackedMatrix& a) {
  const std::vector<float> values = gaussian(kSize, kSize, kSeedOfA);
  const MatrixView view = row_major_view(values.data(), kSize, kSize);
  return select_two_of_four(quantize_residual(view, a, preset(a.format, ""), 0), 0).selected;
}

/// Factors in turns, from 1/2 on: what they are does not change the time.
MacroScales macro_scales() {
  MacroScales macro{kMacroLength, std::vector<float>(size_t{kSize} * kSize / kMacroLength)};
  for (size_t i = 0; i < macro.factors.size(); ++i) {
    macro.factors[i] = 0.5F + static_cast<float>(i % 16) / 32;
  }
  return macro;
}

PackedMatrix row_of(const PackedMatrix& matrix, int64_t row) {
  PackedMatrix one = make_packed_matrix(matrix.format, 1, matrix.k);
  std::copy_n(matrix.row_codes(row), matrix.code_stride(), one.codes.begin());
  std::copy_n(matrix.row_scales(row), matrix.scale_stride(), one.scales.begin());
  one.tensor_scale = matrix.tensor_scale;
  return one;
}

/// The operands of a format, a result, and what is measured on them.
class Operands {
 public:
  explicit Operands(const BlockFormat& format)
      : a_(quantized(format, kSeedOfA)),
        b_(quantized(format, kSeedOfB)),
        residual_(two_of_four_residual(a_)),
        macro_(macro_scales()),
        d_(size_t{kSize} * kSize) {
    with_residual_.residual = &residual_operand_;
    with_macro_.a_macro = &macro_;
    with_macro_.b_macro = &macro_;
  }
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;

  /// The multiplication of operands that were prepared before (decoded, where they are at all).
  Contender kernel(const std::string& name, Accumulation policy, EmulatorTarget target,
                   const GemmCorrections& corrections = {}, int threads = 1,
                   const std::string& note = "") {
    const auto gemm = std::make_shared<EmulatedGemm>(a_, b_, policy, threads, corrections, target);
    gemm->run(nullptr, d_.data(), threads);
    require_golden_rows(policy, corrections);
    return {name, kProducts,
            timed([this, gemm, threads] { gemm->run(nullptr, d_.data(), threads); }), note};
  }

  /// The same from 4-bit codes on.
  Contender with_packing(const std::string& name, Accumulation policy, EmulatorTarget target) {
    return {name, kProducts, timed([this, policy, target] {
              emulate_gemm(a_, b_, policy, nullptr, d_.data(), 1, {}, {target, nullptr});
            })};
  }

  const GemmCorrections& with_residual() const { return with_residual_; }
  const GemmCorrections& with_macro() const { return with_macro_; }

 private:
  /// A figure of wrong results would be none.
  void require_golden_rows(Accumulation policy, const GemmCorrections& corrections) const {
    for (const int64_t row : {int64_t{0}, int64_t{1000}, kSize - 1}) {
      const PackedMatrix residual = row_of(residual_, row);
      const ResidualOperand residual_operand{residual, residual_operand_.granule};
      const float* const factors = macro_.row_factors(row, kSize);
      const MacroScales macro{kMacroLength, {factors, factors + kSize / kMacroLength}};
      GemmCorrections of_row = corrections;
      of_row.residual = corrections.residual == nullptr ? nullptr : &residual_operand;
      of_row.a_macro = corrections.a_macro == nullptr ? nullptr : &macro;
      std::vector<uint32_t> golden(static_cast<size_t>(kSize));
      reference_gemm(row_of(a_, row), b_, policy, nullptr, golden.data(), 0, of_row);
      if (!std::equal(golden.begin(), golden.end(), d_.begin() + row * kSize)) {
        throw InternalError("the emulator's results differ from the golden reference");
      }
    }
  }

  PackedMatrix a_;
  PackedMatrix b_;
  PackedMatrix residual_;
  ResidualOperand residual_operand_{residual_, 64};
  MacroScales macro_;
  GemmCorrections with_residual_;
  GemmCorrections with_macro_;
  std::vector<uint32_t> d_;
};

using Rows = std::vector<BenchmarkRow>;

void append(Rows& rows, const Rows& more) { rows.insert(rows.end(), more.begin(), more.end()); }

/// The rows that have a name of their own, on the best instruction set.
Rows named_rows(int repetitions, const Contender& sgemm) {
  const EmulatorTarget best = best_emulator_target();
  constexpr Accumulation rne = Accumulation::kFp32Rne;
  Operands mxfp4(kMxfp4);
  Operands hif4(kHif4);
  Operands nvfp4(kNvfp4);
  Rows rows =
      paired_rows(repetitions, sgemm,
                  {mxfp4.kernel("gemm_mxfp4_vs_sgemm", rne, best),
                   mxfp4.with_packing("gemm_mxfp4_with_packing_vs_sgemm", rne, best),
                   hif4.kernel("gemm_hif4_vs_sgemm", rne, best),
                   hif4.with_packing("gemm_hif4_with_packing_vs_sgemm", rne, best),
                   nvfp4.kernel("gemm_nvfp4_vs_sgemm", rne, best),
                   nvfp4.with_packing("gemm_nvfp4_with_packing_vs_sgemm", rne, best),
                   mxfp4.kernel("gemm_blackwell_vs_sgemm", Accumulation::kBlackwell, best),
                   nvfp4.kernel("gemm_blackwell_nvfp4_vs_sgemm", Accumulation::kBlackwell, best),
                   mxfp4.kernel("gemm_fused_vs_sgemm", Accumulation::kFp32Fused, best),
                   mxfp4.kernel("gemm_exact_vs_sgemm", Accumulation::kExact, best),
                   mxfp4.kernel("gemm_mxfp4_residual_vs_sgemm", rne, best, mxfp4.with_residual(), 1,
                                "the MACs of A alone are counted, those of its residual not"),
                   mxfp4.kernel("gemm_mxfp4_macro_vs_sgemm", rne, best, mxfp4.with_macro())},
                  "MAC/s");
  append(rows, paired_rows(repetitions, multiply_peak(),
                           {mxfp4.kernel("gemm_mxfp4_vs_peak", rne, best),
                            mxfp4.with_packing("gemm_mxfp4_with_packing_vs_peak", rne, best),
                            hif4.kernel("gemm_hif4_vs_peak", rne, best),
                            nvfp4.kernel("gemm_nvfp4_vs_peak", rne, best)},
                           "MAC/s"));
  append(rows, paired_rows(repetitions, mxfp4.kernel("one thread", rne, best),
                           {mxfp4.kernel("gemm_threads2_vs_1", rne, best, {}, 2)}, "MAC/s"));
  return rows;
}

/// Every instruction set that is available.
Rows target_rows(int repetitions, const Contender& sgemm) {
  constexpr Accumulation rne = Accumulation::kFp32Rne;
  Operands mxfp4(kMxfp4);
  Operands hif4(kHif4);
  Operands nvfp4(kNvfp4);
  Rows rows;
  for (const EmulatorTargetRecord& record : kEmulatorTargets) {
    if (!is_available(record.target)) {
      continue;
    }
    const std::string end = "_" + std::string(record.name);
    append(rows, paired_rows(repetitions, sgemm,
                             {mxfp4.kernel("gemm_mxfp4" + end + "_vs_sgemm", rne, record.target),
                              mxfp4.with_packing("gemm_mxfp4_with_packing" + end + "_vs_sgemm", rne,
                                                 record.target),
                              hif4.kernel("gemm_hif4" + end + "_vs_sgemm", rne, record.target),
                              nvfp4.kernel("gemm_nvfp4" + end + "_vs_sgemm", rne, record.target),
                              mxfp4.kernel("gemm_blackwell" + end + "_vs_sgemm",
                                           Accumulation::kBlackwell, record.target)},
                             "MAC/s"));
    append(rows, paired_rows(repetitions, multiply_peak(),
                             {mxfp4.kernel("gemm_mxfp4" + end + "_vs_peak", rne, record.target),
                              mxfp4.with_packing("gemm_mxfp4_with_packing" + end + "_vs_peak", rne,
                                                 record.target)},
                             "MAC/s"));
  }
  if (is_available(EmulatorTarget::kAvx2)) {
    const SgemmPeer avx2(kSize, avx2_core_types());
    append(rows,
           paired_rows(repetitions, avx2.contender(),
                       {mxfp4.kernel("gemm_mxfp4_avx2_vs_sgemm_avx2", rne, EmulatorTarget::kAvx2),
                        hif4.kernel("gemm_hif4_avx2_vs_sgemm_avx2", rne, EmulatorTarget::kAvx2)},
                       "MAC/s"));
  }
  return rows;
}

}  // namespace

std::vector<BenchmarkRow> measure_gemms(int repetitions) {
  const SgemmPeer sgemm(kSize, all_core_types());
  Rows rows = named_rows(repetitions, sgemm.contender());
  append(rows, target_rows(repetitions, sgemm.contender()));
  return rows;
}

}  // namespace nibblecore::bench
