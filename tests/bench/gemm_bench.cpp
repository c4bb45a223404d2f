// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/gemm_bench.hpp"

#include <memory>
#include <string>

#include "model/common/error.hpp"
#include "model/emulate/emulated_gemm.hpp"
#include "model/emulate/gemm.hpp"
#include "model/emulate/quantize.hpp"
#include "model/reference/gemm.hpp"
#include "tests/bench/multiply_peak.hpp"
#include "tests/bench/paired_rates.hpp"
#include "tests/bench/sgemm_peer.hpp"

namespace nibblecore::bench {
namespace {

constexpr int64_t kSize = 2048;
constexpr double kProducts = double{kSize} * kSize * kSize;

PackedMatrix quantized(const BlockFormat& format, uint32_t seed) {
  const std::vector<float> values = gaussian(kSize, kSize, seed);
  return emulate_quantize(row_major_view(values.data(), kSize, kSize), preset(format, ""), 0);
}

/// Factors of 1 for macro blocks of 128: what they are does not change the time.
MacroScales macro_scales() { return {128, std::vector<float>(size_t{kSize} * kSize / 128, 1.0F)}; }

/// The operands of a format, a result, and what is measured on them.
class Operands {
 public:
  explicit Operands(const BlockFormat& format)
      : a_(quantized(format, 1)),
        b_(quantized(format, 2)),
        residual_(quantized(format, 3)),
        macro_(macro_scales()),
        d_(size_t{kSize} * kSize) {
    residual_.tensor_scale = a_.tensor_scale;
    with_residual_.residual = &residual_operand_;
    with_macro_.a_macro = &macro_;
    with_macro_.b_macro = &macro_;
  }
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;

  /// The multiplication of decoded operands.
  Contender kernel(const std::string& name, Accumulation policy, EmulatorTarget target,
                   const GemmCorrections& corrections = {}, int threads = 1) {
    const auto gemm = std::make_shared<EmulatedGemm>(a_, b_, policy, threads, corrections, target);
    gemm->run(nullptr, d_.data(), threads);
    require_golden_rows(policy, corrections);
    return {name, kProducts,
            timed([this, gemm, threads] { gemm->run(nullptr, d_.data(), threads); })};
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
    if (corrections.residual != nullptr || corrections.macro_length() > 0) {
      return;  // rows alone would need their corrections cut, too; tests compare them
    }
    for (const int64_t row : {int64_t{0}, int64_t{1000}, kSize - 1}) {
      PackedMatrix one = make_packed_matrix(a_.format, 1, kSize);
      one.codes.assign(a_.row_codes(row), a_.row_codes(row) + a_.code_stride());
      one.scales.assign(a_.row_scales(row), a_.row_scales(row) + a_.scale_stride());
      one.tensor_scale = a_.tensor_scale;
      std::vector<uint32_t> golden(static_cast<size_t>(kSize));
      reference_gemm(one, b_, policy, nullptr, golden.data(), 0);
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
                   mxfp4.kernel("gemm_mxfp4_residual_vs_sgemm", rne, best, mxfp4.with_residual()),
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
