// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/replay.hpp"

#include <algorithm>
#include <memory>

#include "model/common/checked.hpp"
#include "model/machine/cycle_model.hpp"
#include "model/trace/filter.hpp"
#include "model/trace/manifest.hpp"
#include "model/trace/trace.hpp"
#include "tb/bench/core_bench.hpp"
#include "tb/bench/waveform.hpp"
#include "tb/replay/progress.hpp"
#include "tb/replay/replay_product.hpp"

namespace nibblecore::tb {
namespace {

std::string place_of(const ReplayOptions& options, const GemmRecord& record) {
  return (options.trace / kManifestName).string() + ":" + std::to_string(record.line);
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

/// The records that pass the filter; InputError where there are none, or one to be simulated holds
/// no operands.
std::vector<GemmRecord> selected_records(const ReplayOptions& options, const Trace& trace) {
  const Filter filter(options.filter);
  std::vector<GemmRecord> selected;
  for (const GemmRecord& record : trace.records()) {
    if (!filter.matches(record)) {
      continue;
    }
    if (options.takes(record) && !record.has_operands() && options.fidelity != Fidelity::kTiming) {
      throw InputError(place_of(options, record),
                       "the record has no operands; only --fidelity timing does without");
    }
    selected.push_back(record);
  }
  if (selected.empty()) {
    throw InputError("--filter", "no record of the trace matches '" + options.filter + "'");
  }
  return selected;
}

/// All products of a record's batch, at the fidelity of the run.
void multiply(const ReplayOptions& options, const Trace& trace, const GemmRecord& record,
              CoreBench* bench, GemmResult& result) {
  if (options.fidelity != Fidelity::kNumeric) {
    result.measures.steps = steps_of(options, record);
  }
  if (options.fidelity == Fidelity::kTiming) {
    result.measures.cycles.add(gemm_cycles(options.core, record.m, record.n, record.k),
                               record.batch);
    return;
  }
  for (int64_t i = 0; i < record.batch; ++i) {
    replay_product(options, trace.operands(record, i), bench, result);
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

ReplayResult replay(const ReplayOptions& options) {
  require_choice(options);
  const Trace trace(options.trace);
  trace.validate();
  const std::vector<GemmRecord> records = selected_records(options, trace);
  require_countable(options, records);
  int64_t all_macs = 0;
  for (const GemmRecord& record : records) {
    all_macs += options.takes(record) ? record.macs() / record.count : 0;
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
    result.simulated = options.takes(record);
    result.has_residual = result.simulated && options.residual.covers(record);
    result.measures.gemms = 1;
    result.measures.macs = record.macs() / record.count;
    if (result.simulated) {
      result.measures.simulated = 1;
      result.measures.simulated_macs = result.measures.macs;
      multiply(options, trace, record, bench.get(), result);
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
