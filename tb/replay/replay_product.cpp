// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_product.hpp"

#include <algorithm>
#include <vector>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/emulate/gemm.hpp"
#include "model/reference/gemm.hpp"
#include "tb/bench/scoreboard.hpp"
#include "tb/replay/core_runs.hpp"
#include "tb/replay/number_product.hpp"
#include "tb/replay/output_comparison.hpp"
#include "tb/replay/packed_product.hpp"

namespace nibblecore::tb {
namespace {

/// Distance of the results to what a framework computes (of a 4-bit GEMM) and to the truth; shows
/// the product to the observer.
void compare_values(const ReplayOptions& options, const Operands& operands, const ProductRun& run,
                    const PackedProduct* product, const std::vector<uint32_t>& bits,
                    const OperandStatistics& a, const OperandStatistics& b, GemmResult& result) {
  std::vector<double> truth;
  const OutputComparison comparison = compare_outputs(operands, product, bits, options.threads,
                                                      run.observer != nullptr ? &truth : nullptr);
  result.measures.qdq_ulp += comparison.qdq_ulp;
  result.measures.signal_to_noise += comparison.signal_to_noise;
  result.measures.output += comparison.agreement;
  if (run.observer != nullptr) {
    run.observations->push_back(
        run.observer->observe({result.record, operands, run.treatment, run.batch_index, bits, truth,
                               a.agreement.gain(), b.agreement.gain()}));
  }
}

/// Counts what the core computed against golden reference and emulator; [rows, columns] bits each,
/// an output region that begins at (first_row, first_column).
void count_mismatches(const TileBounds& region, const std::vector<uint32_t>& golden,
                      const std::vector<uint32_t>& hardware, const std::vector<uint32_t>& emulated,
                      GemmResult& result) {
  Measures& measures = result.measures;
  Comparison comparison = compare_bits(golden, hardware, region.columns);
  measures.compared += comparison.outputs;
  measures.mismatches += comparison.mismatches;
  measures.emulator_mismatches += compare_bits(golden, emulated, region.columns).mismatches;
  if (comparison.first && !result.first_mismatch) {
    comparison.first->row += region.first_row;
    comparison.first->column += region.first_column;
    result.first_mismatch = comparison.first;
  }
}

/// The whole product on the core, compared with golden reference and emulator.
void replay_on_core(const ReplayOptions& options, const ProductRun& run,
                    const PackedProduct& product, const std::vector<uint32_t>& emulated,
                    std::vector<uint32_t>& hardware, GemmResult& result) {
  run_partition(*run.partition, product, *run.bench, run.timeline, hardware.data());
  std::vector<uint32_t> golden(hardware.size());
  reference_gemm(product.a(), product.b(), options.accumulation, nullptr, golden.data(),
                 options.threads, product.corrections());
  round_to_output(options.output, golden);
  count_mismatches({0, product.a().rows, 0, product.b().rows}, golden, hardware, emulated, result);
  if (options.fault && !result.fault) {
    result.fault = run_with_fault(*options.fault, *run.partition, product, hardware);
  }
}

/// A sample of output tiles on the core, compared with the golden reference and with what the
/// emulator has there.
void replay_sample(const ReplayOptions& options, const ProductRun& run,
                   const PackedProduct& product, const std::vector<uint32_t>& emulated,
                   GemmResult& result) {
  const int64_t n = product.b().rows;
  const uint64_t seed = options.seed * 0x9E3779B97F4A7C15U + static_cast<uint64_t>(run.ordinal);
  for (const TileBounds& tile :
       sample_tiles(run.bench->machine().core, product.a().rows, n, options.sample_tiles, seed)) {
    const std::vector<uint32_t> hardware = run_tile(run.spec, tile, product, *run.bench);
    const PackedMatrix a = packed_rows(product.a(), tile.first_row, tile.rows);
    const PackedMatrix b = packed_rows(product.b(), tile.first_column, tile.columns);
    PackedMatrix selected;
    std::optional<ResidualOperand> residual;
    GemmCorrections corrections = product.corrections();
    if (corrections.residual != nullptr) {
      selected = packed_rows(corrections.residual->matrix, tile.first_row, tile.rows);
      residual.emplace(ResidualOperand{selected, corrections.residual->granule});
      corrections.residual = &*residual;
    }
    MacroScales a_macro;
    MacroScales b_macro;
    if (corrections.a_macro != nullptr) {
      a_macro = macro_rows(*corrections.a_macro, a.k, tile.first_row, tile.rows);
      corrections.a_macro = &a_macro;
    }
    if (corrections.b_macro != nullptr) {
      b_macro = macro_rows(*corrections.b_macro, b.k, tile.first_column, tile.columns);
      corrections.b_macro = &b_macro;
    }
    std::vector<uint32_t> golden(hardware.size());
    reference_gemm(a, b, options.accumulation, nullptr, golden.data(), options.threads,
                   corrections);
    round_to_output(options.output, golden);
    std::vector<uint32_t> emulated_tile(hardware.size());
    for (int64_t row = 0; row < tile.rows; ++row) {
      std::copy_n(emulated.begin() + (tile.first_row + row) * n + tile.first_column, tile.columns,
                  emulated_tile.begin() + row * tile.columns);
    }
    count_mismatches(tile, golden, hardware, emulated_tile, result);
  }
}

/// A product of numbers: nothing computes it but this.
void replay_numbers(const ReplayOptions& options, const Operands& operands, const ProductRun& run,
                    GemmResult& result) {
  NumberProduct product = number_product(operands, run.treatment, options.threads);
  round_to_output(options.output, product.bits);
  Measures& measures = result.measures;
  measures.outputs += static_cast<int64_t>(product.bits.size());
  measures.a += product.a;
  measures.b += product.b;
  compare_values(options, operands, run, nullptr, product.bits, product.a, product.b, result);
}

}  // namespace

void replay_product(const ReplayOptions& options, const Operands& operands, const ProductRun& run,
                    GemmResult& result) {
  if (!run.treatment.is_block_scaled()) {
    replay_numbers(options, operands, run, result);
    return;
  }
  const PackedProduct product(options, operands, run.spec, run.treatment);
  const auto outputs = static_cast<size_t>(
      checked_multiply(product.a().rows, product.b().rows, "outputs of a GEMM"));
  std::vector<uint32_t> emulated(outputs);
  emulate_gemm(product.a(), product.b(), options.accumulation, nullptr, emulated.data(),
               options.threads, product.corrections());
  round_to_output(options.output, emulated);
  Measures& measures = result.measures;
  measures.outputs += static_cast<int64_t>(outputs);
  measures.a += product.a_statistics();
  measures.b += product.b_statistics();
  const auto compare = [&](const std::vector<uint32_t>& bits) {
    compare_values(options, operands, run, &product, bits, product.a_statistics(),
                   product.b_statistics(), result);
  };
  if (options.fidelity == Fidelity::kCycle) {
    std::vector<uint32_t> hardware(outputs);
    replay_on_core(options, run, product, emulated, hardware, result);
    compare(hardware);
    return;
  }
  if (options.fidelity == Fidelity::kSampled) {
    replay_sample(options, run, product, emulated, result);
  }
  compare(emulated);
}

}  // namespace nibblecore::tb
