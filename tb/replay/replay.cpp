// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/emulate/gemm.hpp"
#include "model/formats/residual_operand.hpp"
#include "model/machine/cycle_model.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/sparsify.hpp"
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
  measures.cycles += bench.run({&packed.a, &packed.b, nullptr, hardware.data()});
  reference_gemm(packed.a, packed.b, options.accumulation, nullptr, golden.data(), options.threads);
  const Comparison comparison = compare_bits(golden, hardware, packed.b.rows);
  measures.mismatches += comparison.mismatches;
  measures.emulator_mismatches += compare_bits(golden, emulated, packed.b.rows).mismatches;
  if (!result.first_mismatch) {
    result.first_mismatch = comparison.first;
  }
}

/// Replays one product of a record; `bench` is null where no core takes part.
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

/// InputError for options that do not go together, whatever the trace.
void require_choice(const ReplayOptions& options) {
  const bool cycle = options.fidelity == Fidelity::kCycle;
  require_policy(cycle ? Engine::kSystemc : Engine::kEmulator, options.accumulation);
  if (cycle) {
    require_supported(options.core, options.preset.format);
  }
  if (cycle && options.residual.pattern != ResidualPattern::kNone) {
    throw InputError("--residual",
                     "the SystemC core has no residual unit; --fidelity numeric "
                     "computes the values");
  }
  if (!cycle && options.waveform) {
    throw InputError("--vcd", "only --fidelity cycle runs the core that it records");
  }
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

Fidelity fidelity(std::string_view name) {
  std::string known;
  for (const auto& [known_name, value] : kFidelities) {
    if (known_name == name) {
      return value;
    }
    known += (known.empty() ? "" : ", ") + std::string(known_name);
  }
  throw InputError("--fidelity",
                   "unknown fidelity '" + std::string(name) + "' (known: " + known + ")");
}

std::string_view name_of(Fidelity fidelity) {
  return kFidelities[static_cast<size_t>(fidelity)].first;
}

bool ResidualOptions::covers(const GemmRecord& record) const {
  if (pattern == ResidualPattern::kNone) {
    return false;
  }
  switch (scope) {
    case ResidualScope::kRollout:
      return record.kind == GemmKind::kFprop && record.phase.rfind("rollout.", 0) == 0;
    case ResidualScope::kFprop:
      return record.kind == GemmKind::kFprop;
    case ResidualScope::kAll:
      return true;
  }
  return false;
}

ReplayResult replay(const ReplayOptions& options) {
  require_choice(options);
  const Trace trace(options.trace);
  trace.validate();
  const std::vector<GemmRecord> records = selected_records(options, trace);
  require_countable(options, records);
  int64_t all_macs = 0;
  for (const GemmRecord& record : records) {
    all_macs += to_be_simulated(options, record) ? record.macs() / record.count : 0;
  }

  std::unique_ptr<CoreBench> bench;
  if (options.fidelity == Fidelity::kCycle) {
    bench = std::make_unique<CoreBench>("bench", options.core);
  }
  std::unique_ptr<Waveform> waveform;
  if (options.waveform) {
    waveform = std::make_unique<Waveform>(*options.waveform);
    bench->trace(waveform->file());
  }
  ReplayResult replayed;
  replayed.blas = blas_identity();
  Progress progress("MAC", all_macs);
  for (const GemmRecord& record : records) {
    GemmResult result;
    result.record = record;
    result.simulated = to_be_simulated(options, record);
    result.has_residual = result.simulated && options.residual.covers(record);
    result.measures.gemms = 1;
    result.measures.macs = record.macs() / record.count;
    if (result.simulated) {
      result.measures.simulated = 1;
      result.measures.simulated_macs = result.measures.macs;
      result.measures.steps = bench ? steps_of(options, record) : 0;
      for (int64_t i = 0; i < record.batch; ++i) {
        replay_product(options, trace.operands(record, i), bench.get(), result);
      }
      progress.advance(result.measures.macs);
    }
    add_to_sums(replayed, result);
    replayed.gemms.push_back(std::move(result));
  }
  progress.finish();
  if (waveform) {
    // Where nothing was simulated, the file gets its header only so.
    bench->idle(1);
    waveform->close();
  }
  return replayed;
}

}  // namespace nibblecore::tb
