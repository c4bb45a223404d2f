// SPDX-License-Identifier: Apache-2.0
#include "model/machine/cycle_bound.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "model/common/checked.hpp"
#include "model/machine/trip_cost.hpp"
#include "model/machine/trip_runs.hpp"

namespace nibblecore {
namespace {

constexpr std::string_view kPlace = "cycles of a GEMM";

/// Over the whole program.
struct Traffic {
  int64_t a_move_cycles;
  int64_t b_move_cycles;
  int64_t load_bytes;  ///< of A, B and the start values
  int64_t store_bytes;
};

int64_t times(int64_t a, int64_t b) { return checked_multiply(a, b, kPlace); }
int64_t plus(int64_t a, int64_t b) { return checked_add(a, b, kPlace); }

int64_t quantizer_cycles(const Program& program, OperandPath path, int64_t blocks) {
  return path == OperandPath::kPacked
             ? 0
             : times(ceil_divide(blocks, program.blocks_a_beat()), program.cycles_a_beat());
}

/// `visits`: how often the chunks pass.
Traffic traffic(const Program& program, int64_t visits) {
  const Machine& machine = program.machine();
  const GemmSpec& spec = program.spec();
  const bool rows_outer = program.tiling().loop_order == LoopOrder::kRowsOuter;
  const bool kept = program.tiling().residency == Residency::kOuterKept;
  const int64_t a_image = program.a_image_bytes();
  const int64_t b_image = program.b_image_bytes();
  // Each region of rows moves once a region of columns, and the other way round.
  const int64_t a_times = times(visits, rows_outer ? program.inner_count() : program.outer_count());
  const int64_t b_times = times(visits, rows_outer ? program.outer_count() : program.inner_count());
  const int64_t a_moves = times(a_image, a_times);
  const int64_t b_moves = times(b_image, b_times);
  const int64_t a_blocks = times(times(spec.m, spec.blocks()), a_times);
  const int64_t b_blocks = times(times(spec.n, spec.blocks()), b_times);
  Traffic traffic{};
  traffic.a_move_cycles =
      std::max(machine.l1_to_l0a.duration(a_moves), quantizer_cycles(program, spec.a, a_blocks));
  traffic.b_move_cycles =
      std::max(machine.l1_to_l0b.duration(b_moves), quantizer_cycles(program, spec.b, b_blocks));
  traffic.load_bytes =
      plus(plus(kept && rows_outer ? a_image : a_moves, kept && !rows_outer ? b_image : b_moves),
           program.start_image_bytes());
  traffic.store_bytes = program.store_image_bytes();
  return traffic;
}

/// From the first step's issue to the last one's, if operands never were late.
int64_t array_span(const Program& program, const std::vector<ChunkRun>& chunks) {
  int64_t span = 0;
  for (const IndexRun& outer : index_runs(program.outer_count())) {
    for (const IndexRun& inner : index_runs(program.inner_count())) {
      const int64_t tiles = program.body({outer.first, inner.first, 0}).tiles();
      int64_t region = 0;
      for (const ChunkRun& run : chunks) {
        const StepTimes steps = step_times(program, run.passes, tiles);
        const int64_t issues = steps.last_issue + 1;
        // What follows a region adds on other accumulators.
        const int64_t one =
            &run == &chunks.back() ? issues : std::max(issues, steps.accumulators_free);
        region = plus(region, times(run.indices.count, one));
      }
      span = plus(span, times(times(outer.count, inner.count), region));
    }
  }
  return span - 1;
}

/// What must come before the first step and after the last, and the latest of several paths.
class Bound {
 public:
  Bound(const Program& program, const std::vector<ChunkRun>& chunks)
      : program_(program),
        latency_(program.machine().memory_latency),
        first_(trip_cost(program, program.body({}), chunks.front().passes)),
        last_body_(program.body(
            {program.outer_count() - 1, program.inner_count() - 1, program.chunk_count() - 1})),
        last_(trip_cost(program, last_body_, chunks.back().passes)) {}

  int64_t a_loaded() const { return plus(first_.load_a, latency_); }
  int64_t b_loaded() const { return plus(a_loaded(), first_.load_b); }

  int64_t first_issue() const {
    const int64_t start_loaded = first_.start == 0 ? 0 : plus(b_loaded(), first_.start);
    return std::max({start_loaded, plus(a_loaded(), plus(first_.move_a, move_a_latency(program_))),
                     plus(b_loaded(), plus(first_.move_b, move_b_latency(program_)))});
  }

  /// Behind the issue of the last step, and of the first step of the last trip.
  int64_t behind_last_issue() const {
    return plus(last_.steps.result - last_.steps.last_issue, plus(last_.store, latency_));
  }
  int64_t behind_last_trip() const { return plus(last_.steps.result, plus(last_.store, latency_)); }

  /// Behind the port's part in the loads of A and B of the last trip.
  int64_t behind_last_load() const {
    const int64_t move = last_.load_b > 0 ? plus(last_.move_b, move_b_latency(program_))
                                          : plus(last_.move_a, move_a_latency(program_));
    return plus(plus(latency_, move), behind_last_trip());
  }

 private:
  const Program& program_;
  int64_t latency_;
  TripCost first_;
  ChunkBody last_body_;
  TripCost last_;
};

/// Bytes that pass the port before the last trip's loads have: all but those of the stores whose
/// place is behind them, and of the last region's start values.
int64_t bytes_before_last_load(const Program& program, const Traffic& traffic) {
  const ChunkBody first = program.body({});
  const ChunkBody end = program.body({0, 0, program.chunk_count() - 1});
  const int64_t late_regions = ceil_divide(Program::kStoreLag + 1, program.chunk_count());
  const int64_t late = plus(times(late_regions, end.store_bytes), first.start_bytes);
  return std::max<int64_t>(0, plus(traffic.load_bytes, traffic.store_bytes) - late);
}

}  // namespace

int64_t least_cycles(const Program& program) {
  const Machine& machine = program.machine();
  const std::vector<ChunkRun> chunks = chunk_runs(program);
  const Traffic all = traffic(program, chunks.back().part == ChunkPart::kResidual ? 2 : 1);
  const Bound bound(program, chunks);

  const int64_t by_array =
      plus(bound.first_issue(), plus(array_span(program, chunks), bound.behind_last_issue()));
  const int64_t by_move_a = plus(plus(bound.a_loaded(), all.a_move_cycles),
                                 plus(move_a_latency(program), bound.behind_last_trip()));
  const int64_t by_move_b = plus(plus(bound.b_loaded(), all.b_move_cycles),
                                 plus(move_b_latency(program), bound.behind_last_trip()));
  const int64_t by_loads =
      plus(machine.memory.duration(bytes_before_last_load(program, all)), bound.behind_last_load());
  const int64_t by_port =
      plus(machine.memory.duration(plus(all.load_bytes, all.store_bytes)), machine.memory_latency);
  return std::max({by_array, by_move_a, by_move_b, by_loads, by_port});
}

}  // namespace nibblecore
