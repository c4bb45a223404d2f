// SPDX-License-Identifier: Apache-2.0
#include "tb/sweep/trace_sweep.hpp"

#include "model/common/error.hpp"
#include "model/trace/filter.hpp"
#include "model/trace/manifest.hpp"
#include "tb/replay/replay.hpp"
#include "tb/replay/treatment.hpp"
#include "tb/sweep/sweep_points.hpp"

namespace nibblecore::tb {
namespace {

/// Finds what no grid point is to blame for.
void require_trace(const SweepOptions& options, const Trace& trace) {
  trace.validate();
  const Filter filter(options.filter);
  bool is_any = false;
  for (const GemmRecord& record : trace.records()) {
    if (!filter.matches(record)) {
      continue;
    }
    is_any = true;
    if (record.quantize && !record.has_operands()) {
      throw InputError((options.input / kManifestName).string() + ":" + std::to_string(record.line),
                       "the record has no operands to measure");
    }
  }
  if (!is_any) {
    throw InputError("--filter", "no record of the trace matches '" + options.filter + "'");
  }
}

std::string group_of(const std::string& phase) {
  return phase.rfind("rollout", 0) == 0 ? "rollout" : phase;
}

void add_values(const Measures& measures, SweepPart& part) {
  part.items += measures.simulated + measures.numbers;
  part.noise += measures.signal_to_noise;
  part.agreement += measures.output;
  part.a += measures.a;
  part.b += measures.b;
}

Storage storage_of(const Trace& trace, const ReplayOptions& options, const ReplayResult& result) {
  Storage storage;
  for (const GemmResult& gemm : result.gemms) {
    if (gemm.is_multiplied()) {
      const Operands operands = trace.operands(gemm.record, 0);
      storage.add(gemm.record, {operands.a.type, operands.b.type},
                  treatment_of(options, gemm.record));
    }
  }
  return storage;
}

/// Adds the cycles of every part, or why there are none.
void add_cycles(ReplayOptions options, SweepRow& row) {
  options.fidelity = Fidelity::kTiming;
  try {
    const ReplayResult timed = replay(options);
    row.total.cycles = timed.totals.total_cycles();
    for (const auto& [phase, measures] : timed.phases) {
      SweepPart& part = part_of(row.parts, group_of(phase));
      part.cycles = part.cycles.value_or(0) + measures.total_cycles();
    }
  } catch (const InputError& error) {
    row.cycles_note = error.what();
  }
}

SweepRow row_of(const Trace& trace, const GridPoint& point, ReplayOptions options) {
  SweepRow row;
  row.point = point;
  options.fidelity = Fidelity::kNumeric;
  const ReplayResult result = replay(options);
  add_values(result.totals, row.total);
  for (const auto& [phase, measures] : result.phases) {
    add_values(measures, part_of(row.parts, group_of(phase)));
  }
  row.storage = storage_of(trace, options, result);
  add_cycles(std::move(options), row);
  return row;
}

}  // namespace

SweepResult sweep_trace(const SweepOptions& options) {
  const std::vector<GridPoint> points = grid_points(options.axes);
  const Trace trace(options.input);
  require_trace(options, trace);
  ReplayOptions base;
  base.trace = options.input;
  base.filter = options.filter;
  base.machine = options.machine;
  base.residual.scope = options.residual_scope;
  base.seed = options.seed;
  base.threads = options.threads;
  return sweep_points(SweepInputKind::kTrace, points, [&](const GridPoint& point) {
    return row_of(trace, point, with_point(base, point));
  });
}

}  // namespace nibblecore::tb
