// SPDX-License-Identifier: Apache-2.0
#include "model/machine/program_cycles.hpp"

#include <string_view>
#include <vector>

#include "model/common/checked.hpp"
#include "model/machine/repeat.hpp"
#include "model/machine/timeline.hpp"
#include "model/machine/trip_cost.hpp"
#include "model/machine/trip_runs.hpp"

namespace nibblecore {
namespace {

constexpr std::string_view kPlace = "cycles of a GEMM";

/// Trips of equal bodies that follow each other.
struct TripRun {
  int64_t count;
  ChunkBody body;
  TripCost cost;
};

/// Regions of equal trips that follow each other along a row of regions.
struct RegionRun {
  int64_t count;
  std::vector<TripRun> trips;
};

void run_region(Timeline& timeline, const std::vector<TripRun>& trips) {
  for (const TripRun& run : trips) {
    repeat(timeline, run.count, [&](Timeline& trip) { trip.run(run.body, run.cost); });
  }
}

void run_row(Timeline& timeline, const std::vector<RegionRun>& regions) {
  for (const RegionRun& run : regions) {
    repeat(timeline, run.count, [&](Timeline& region) { run_region(region, run.trips); });
  }
}

/// What the units do, which no waiting changes.
void add_work(CycleReport& report, const TripRun& run, int64_t times) {
  const auto add = [&](int64_t& sum, int64_t value) {
    sum = checked_add(sum, checked_multiply(value, times, kPlace), kPlace);
  };
  for (const int64_t use : {run.cost.load_a, run.cost.load_b, run.cost.start, run.cost.store}) {
    add(report[Unit::kMemoryPort].busy, use);
  }
  add(report[Unit::kMoveA].busy, run.cost.move_a);
  add(report[Unit::kMoveB].busy, run.cost.move_b);
  add(report[Unit::kArray].busy, run.cost.steps.all_steps());
  for (size_t kind = 0; kind < report.steps.size(); ++kind) {
    add(report.steps[kind], run.cost.steps.steps[kind]);
  }
  add(report.quantized_blocks, run.body.quantize_a_blocks);
  add(report.quantized_blocks, run.body.quantize_b_blocks);
  add(report.loaded_bytes, run.body.load_a_bytes);
  add(report.loaded_bytes, run.body.load_b_bytes);
  add(report.loaded_bytes, run.body.start_bytes);
  add(report.stored_bytes, run.body.store_bytes);
}

std::vector<TripRun> region_trips(const Program& program, const std::vector<ChunkRun>& chunks,
                                  int64_t outer, int64_t inner) {
  std::vector<TripRun> trips;
  trips.reserve(chunks.size());
  for (const ChunkRun& run : chunks) {
    const ChunkBody body = program.body({outer, inner, run.indices.first});
    trips.push_back({run.indices.count, body, trip_cost(program, body, run.passes)});
  }
  return trips;
}

void add_times(CycleReport& report, const Timeline& timeline) {
  report.total = timeline.total();
  for (int unit_index = 0; unit_index < kUnits; ++unit_index) {
    const auto unit = static_cast<Unit>(unit_index);
    for (int cause = 0; cause < kStallCauses; ++cause) {
      report[unit].stalls[static_cast<size_t>(cause)] =
          timeline.stall(unit, static_cast<StallCause>(cause));
    }
    report[unit].idle = report.total - timeline.end(unit);
  }
}

}  // namespace

CycleReport program_cycles(const Program& program) {
  return program_cycles(program, chunk_runs(program));
}

CycleReport program_cycles(const Program& program, const std::vector<ChunkRun>& chunks) {
  const std::vector<IndexRun> inner_runs = index_runs(program.inner_count());
  CycleReport report;
  Timeline timeline(program);
  for (const IndexRun& outer : index_runs(program.outer_count())) {
    std::vector<RegionRun> regions;
    for (const IndexRun& inner : inner_runs) {
      const int64_t times = checked_multiply(outer.count, inner.count, kPlace);
      regions.push_back({inner.count, region_trips(program, chunks, outer.first, inner.first)});
      for (const TripRun& run : regions.back().trips) {
        add_work(report, run, checked_multiply(times, run.count, kPlace));
      }
    }
    repeat(timeline, outer.count, [&](Timeline& row) { run_row(row, regions); });
  }
  timeline.finish();
  add_times(report, timeline);
  require_balanced(report);
  return report;
}

}  // namespace nibblecore
