// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_product.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "model/analysis/qdq.hpp"
#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/emulate/gemm.hpp"
#include "model/formats/residual_operand.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/sparsify.hpp"
#include "model/reference/gemm.hpp"
#include "tb/bench/scoreboard.hpp"

namespace nibblecore::tb {
namespace {

/// The packed operands of one product; A's residual where the record gets one.
struct PackedOperands {
  PackedMatrix a;
  PackedMatrix b;
  std::optional<PackedMatrix> residual;
  std::optional<ResidualOperand> residual_operand;
};

void pack(const ReplayOptions& options, const Operands& operands, const GemmResult& result,
          PackedOperands& packed) {
  packed.a = quantize(operands.a, options.preset, options.threads);
  packed.b = quantize(operands.b, options.preset, options.threads);
  if (!result.has_residual) {
    return;
  }
  const ResidualOptions& choice = options.residual;
  packed.residual =
      sparsify(quantize_residual(operands.a, packed.a, options.preset, options.threads),
               choice.pattern, options.threads);
  packed.residual_operand.emplace(
      ResidualOperand{*packed.residual, residual_granule(choice.build, choice.order, packed.a.k)});
}

/// What a framework computes for the same operands: one SGEMM, and one more for a residual.
std::vector<float> framework_product(const PackedOperands& packed) {
  std::vector<float> product = qdq_product(packed.a, packed.b);
  if (packed.residual) {
    const std::vector<float> addend = qdq_product(*packed.residual, packed.b);
    std::transform(product.begin(), product.end(), addend.begin(), product.begin(),
                   std::plus<float>());
  }
  return product;
}

/// Distance of the results to what a framework computes, and to the truth.
void compare_values(const Operands& operands, const PackedOperands& packed,
                    const std::vector<uint32_t>& bits, Measures& measures) {
  const std::vector<float> qdq = framework_product(packed);
  const std::vector<double> truth = exact_product(operands.a, operands.b);
  for (size_t i = 0; i < bits.size(); ++i) {
    measures.qdq_ulp.add(bits[i], float_bits(qdq[i]));
    measures.signal_to_noise.add(truth[i], double{bits_float(bits[i])});
  }
}

/// The core's result in `hardware`, compared with golden reference and emulator.
void run_core(const ReplayOptions& options, const PackedOperands& packed,
              const std::vector<uint32_t>& emulated, CoreBench& bench,
              std::vector<uint32_t>& hardware, GemmResult& result) {
  std::vector<uint32_t> golden(hardware.size());
  Measures& measures = result.measures;
  measures.cycles.add(bench.run({&packed.a, &packed.b, nullptr, hardware.data()}), 1);
  reference_gemm(packed.a, packed.b, options.accumulation, nullptr, golden.data(), options.threads);
  const Comparison comparison = compare_bits(golden, hardware, packed.b.rows);
  measures.mismatches += comparison.mismatches;
  measures.emulator_mismatches += compare_bits(golden, emulated, packed.b.rows).mismatches;
  if (!result.first_mismatch) {
    result.first_mismatch = comparison.first;
  }
}

}  // namespace

void replay_product(const ReplayOptions& options, const Operands& operands, CoreBench* bench,
                    GemmResult& result) {
  PackedOperands packed;
  pack(options, operands, result, packed);
  const auto outputs =
      static_cast<size_t>(checked_multiply(packed.a.rows, packed.b.rows, "outputs of a GEMM"));
  std::vector<uint32_t> emulated(outputs);
  emulate_gemm(packed.a, packed.b, nullptr, emulated.data(), options.threads,
               packed.residual_operand ? &*packed.residual_operand : nullptr);
  Measures& measures = result.measures;
  measures.outputs += static_cast<int64_t>(outputs);
  measures.a += operand_statistics(operands.a, packed.a, options.threads);
  measures.b += operand_statistics(operands.b, packed.b, options.threads);
  if (bench == nullptr) {
    compare_values(operands, packed, emulated, measures);
    return;
  }
  std::vector<uint32_t> hardware(outputs);
  run_core(options, packed, emulated, *bench, hardware, result);
  compare_values(operands, packed, hardware, measures);
}

}  // namespace nibblecore::tb
