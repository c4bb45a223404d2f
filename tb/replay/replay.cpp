// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay.hpp"

#include <algorithm>
#include <memory>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/emulate/gemm.hpp"
#include "model/machine/cycle_model.hpp"
#include "model/quantize/quantize.hpp"
#include "model/reference/gemm.hpp"
#include "model/trace/filter.hpp"
#include "model/trace/manifest.hpp"
#include "model/trace/trace.hpp"
#include "tb/bench/core_bench.hpp"
#include "tb/bench/engine.hpp"
#include "tb/bench/waveform.hpp"
#include "tb/replay/progress.hpp"

namespace nibblecore::tb {
namespace {

std::string place_of(const ReplayOptions& options, const GemmRecord& record) {
  return (options.trace / kManifestName).string() + ":" + std::to_string(record.line);
}

/// Distance of the core's bits to what a framework computes, and of both to the truth.
void compare_values(const Operands& operands, const PackedMatrix& a, const PackedMatrix& b,
                    const std::vector<uint32_t>& bits, Measures& measures) {
  const std::vector<float> qdq = qdq_product(a, b);
  const std::vector<double> truth = exact_product(operands.a, operands.b);
  for (size_t i = 0; i < bits.size(); ++i) {
    measures.qdq_ulp.add(bits[i], float_bits(qdq[i]));
    measures.signal_to_noise.add(truth[i], double{bits_float(bits[i])});
  }
}

/// Runs one product of a record through core, reference and emulator.
void replay_product(const ReplayOptions& options, const Operands& operands, CoreBench& bench,
                    GemmResult& result) {
  const PackedMatrix a = quantize(operands.a, options.preset, options.threads);
  const PackedMatrix b = quantize(operands.b, options.preset, options.threads);
  const auto outputs = static_cast<size_t>(checked_multiply(a.rows, b.rows, "outputs of a GEMM"));
  std::vector<uint32_t> hardware(outputs);
  std::vector<uint32_t> golden(outputs);
  std::vector<uint32_t> emulated(outputs);
  Measures& measures = result.measures;
  measures.cycles += bench.run({&a, &b, nullptr, hardware.data()});
  reference_gemm(a, b, options.accumulation, nullptr, golden.data(), options.threads);
  emulate_gemm(a, b, nullptr, emulated.data(), options.threads);

  const Comparison comparison = compare_bits(golden, hardware, b.rows);
  measures.outputs += comparison.outputs;
  measures.mismatches += comparison.mismatches;
  measures.emulator_mismatches += compare_bits(golden, emulated, b.rows).mismatches;
  if (!result.first_mismatch) {
    result.first_mismatch = comparison.first;
  }
  measures.a += operand_statistics(operands.a, a, options.threads);
  measures.b += operand_statistics(operands.b, b, options.threads);
  compare_values(operands, a, b, hardware, measures);
}

/// Multiply-accumulates and cycles of all records stay within 64 bits, so that no sum of a replay
/// overflows; InputError at the record that leaves them.
void require_countable(const ReplayOptions& options, const std::vector<GemmRecord>& records) {
  int64_t macs = 0;
  int64_t cycles = 0;
  for (const GemmRecord& record : records) {
    const std::string place = place_of(options, record);
    macs = checked_add(macs, record.macs(), place);
    const int64_t one = gemm_cycles(options.core, record.m, record.n, record.k).total();
    const int64_t calls = checked_multiply(record.batch, record.count, place);
    cycles = checked_add(cycles, checked_multiply(one, calls, place), place);
  }
}

int64_t steps_of(const ReplayOptions& options, const GemmRecord& record) {
  return checked_multiply(gemm_steps(options.core, record.m, record.n, record.k), record.batch,
                          "steps of a GEMM");
}

bool to_be_simulated(const ReplayOptions& options, const GemmRecord& record) {
  return record.quantize || options.unquantized == Unquantized::kSimulate;
}

/// The records that pass the filter; InputError where there are none, or one to be simulated holds
/// no operands.
std::vector<GemmRecord> selected_records(const ReplayOptions& options, const Trace& trace) {
  const Filter filter(options.filter);
  std::vector<GemmRecord> selected;
  for (const GemmRecord& record : trace.records()) {
    if (!filter.matches(record)) {
      continue;
    }
    if (to_be_simulated(options, record) && !record.has_operands()) {
      throw InputError(place_of(options, record),
                       "the record has no operands, and fidelity 'cycle' computes values");
    }
    selected.push_back(record);
  }
  if (selected.empty()) {
    throw InputError("--filter", "no record of the trace matches '" + options.filter + "'");
  }
  return selected;
}

void add_to_group(std::vector<std::pair<std::string, Measures>>& groups, const std::string& name,
                  const GemmResult& result) {
  const auto found = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto& group) { return group.first == name; });
  Measures& sum =
      found != groups.end() ? found->second : groups.emplace_back(name, Measures{}).second;
  sum.add(result.measures, result.record.count);
}

void add_to_sums(ReplayResult& replay, const GemmResult& result) {
  replay.totals.add(result.measures, result.record.count);
  add_to_group(replay.phases, result.record.phase, result);
  add_to_group(replay.kinds, std::string(name_of(result.record.kind)), result);
}

}  // namespace

ReplayResult replay(const ReplayOptions& options) {
  require_policy(Engine::kSystemc, options.accumulation);
  require_supported(options.core, options.preset.format);
  const Trace trace(options.trace);
  trace.validate();
  const std::vector<GemmRecord> records = selected_records(options, trace);
  require_countable(options, records);
  int64_t all_steps = 0;
  for (const GemmRecord& record : records) {
    all_steps += to_be_simulated(options, record) ? steps_of(options, record) : 0;
  }

  CoreBench bench("bench", options.core);
  std::unique_ptr<Waveform> waveform;
  if (options.waveform) {
    waveform = std::make_unique<Waveform>(*options.waveform);
    bench.trace(waveform->file());
  }
  ReplayResult replayed;
  replayed.blas = blas_identity();
  Progress progress("steps", all_steps);
  for (const GemmRecord& record : records) {
    GemmResult result;
    result.record = record;
    result.simulated = to_be_simulated(options, record);
    result.measures.gemms = 1;
    result.measures.macs = record.macs() / record.count;
    if (result.simulated) {
      result.measures.simulated = 1;
      result.measures.simulated_macs = result.measures.macs;
      result.measures.steps = steps_of(options, record);
      for (int64_t i = 0; i < record.batch; ++i) {
        replay_product(options, trace.operands(record, i), bench, result);
      }
      progress.advance(result.measures.steps);
    }
    add_to_sums(replayed, result);
    replayed.gemms.push_back(std::move(result));
  }
  progress.finish();
  if (waveform) {
    // Where nothing was simulated, the file gets its header only so.
    bench.idle(1);
    waveform->close();
  }
  return replayed;
}

}  // namespace nibblecore::tb
