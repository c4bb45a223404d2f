// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay_product.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "model/analysis/qdq.hpp"
#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/emulate/gemm.hpp"
#include "model/formats/bf16.hpp"
#include "model/reference/gemm.hpp"
#include "tb/bench/scoreboard.hpp"
#include "tb/replay/core_runs.hpp"
#include "tb/replay/packed_product.hpp"

namespace nibblecore::tb {
namespace {

/// What the store path writes, by the formats' definition.
void round_to_output(OutputWidth width, std::vector<uint32_t>& bits) {
  if (width == OutputWidth::kBf16) {
    for (uint32_t& value : bits) {
      value = bf16_to_fp32(bf16_from_fp32(value));
    }
  }
}

/// What a framework computes for the same operands: one SGEMM, and one more for a residual.
std::vector<float> framework_product(const PackedProduct& product) {
  std::vector<float> result = qdq_product(product.a(), product.b());
  if (product.residual() != nullptr) {
    const std::vector<float> addend = qdq_product(product.residual()->matrix, product.b());
    std::transform(result.begin(), result.end(), addend.begin(), result.begin(),
                   std::plus<float>());
  }
  return result;
}

/// Distance of the results to what a framework computes, and to the truth.
void compare_values(const Operands& operands, const PackedProduct& product,
                    const std::vector<uint32_t>& bits, Measures& measures) {
  const std::vector<float> qdq = framework_product(product);
  const std::vector<double> truth = exact_product(operands.a, operands.b);
  for (size_t i = 0; i < bits.size(); ++i) {
    measures.qdq_ulp.add(bits[i], float_bits(qdq[i]));
    measures.signal_to_noise.add(truth[i], double{bits_float(bits[i])});
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
                 options.threads, product.residual());
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
    if (product.residual() != nullptr) {
      selected = packed_rows(product.residual()->matrix, tile.first_row, tile.rows);
      residual.emplace(ResidualOperand{selected, product.residual()->granule});
    }
    std::vector<uint32_t> golden(hardware.size());
    reference_gemm(a, b, options.accumulation, nullptr, golden.data(), options.threads,
                   residual ? &*residual : nullptr);
    round_to_output(options.output, golden);
    std::vector<uint32_t> emulated_tile(hardware.size());
    for (int64_t row = 0; row < tile.rows; ++row) {
      std::copy_n(emulated.begin() + (tile.first_row + row) * n + tile.first_column, tile.columns,
                  emulated_tile.begin() + row * tile.columns);
    }
    count_mismatches(tile, golden, hardware, emulated_tile, result);
  }
}

}  // namespace

void replay_product(const ReplayOptions& options, const Operands& operands, const ProductRun& run,
                    GemmResult& result) {
  const PackedProduct product(options, operands, run.spec);
  const auto outputs = static_cast<size_t>(
      checked_multiply(product.a().rows, product.b().rows, "outputs of a GEMM"));
  std::vector<uint32_t> emulated(outputs);
  emulate_gemm(product.a(), product.b(), nullptr, emulated.data(), options.threads,
               product.residual());
  round_to_output(options.output, emulated);
  Measures& measures = result.measures;
  measures.outputs += static_cast<int64_t>(outputs);
  measures.a += operand_statistics(operands.a, product.a(), options.threads);
  measures.b += operand_statistics(operands.b, product.b(), options.threads);
  if (options.fidelity == Fidelity::kCycle) {
    std::vector<uint32_t> hardware(outputs);
    replay_on_core(options, run, product, emulated, hardware, result);
    compare_values(operands, product, hardware, measures);
    return;
  }
  if (options.fidelity == Fidelity::kSampled) {
    replay_sample(options, run, product, emulated, result);
  }
  compare_values(operands, product, emulated, measures);
}

}  // namespace nibblecore::tb
