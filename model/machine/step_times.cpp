// SPDX-License-Identifier: Apache-2.0
#include "model/machine/step_times.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "model/common/checked.hpp"

namespace nibblecore {
namespace {

constexpr std::string_view kPlace = "cycles of a chunk";

}  // namespace

int64_t PassCounts::all() const {
  int64_t all = 0;
  for (const ByEpilogues& of_kind : passes) {
    all = std::accumulate(of_kind.begin(), of_kind.end(), all);
  }
  return all;
}

int64_t StepTimes::all_steps() const {
  return std::accumulate(steps.begin(), steps.end(), int64_t{0});
}

PassCounts count_passes(const Program& program, const ChunkBody& body) {
  PassCounts counts;
  for (const Pass& pass : program.passes(body)) {
    ++counts.passes[static_cast<size_t>(pass.kind)].at(static_cast<size_t>(pass.epilogues));
    counts.last = pass.kind;
    counts.last_epilogues = pass.epilogues;
  }
  return counts;
}

StepTimes step_times(const Program& program, const PassCounts& counts, int64_t tiles) {
  const auto addition_time = [&](StepKind kind, int64_t epilogues) {
    return checked_multiply(program.additions(kind) + epilogues,
                            program.machine().accumulate_latency, kPlace);
  };
  const int64_t last_time = addition_time(counts.last, counts.last_epilogues);
  const bool tiles_inner = program.tiling().step_order == StepOrder::kTilesInner;
  // From one pass to the next: over all tiles, or on the same tile.
  const int64_t least_distance = tiles_inner ? tiles : 1;

  StepTimes times;
  int64_t last_pass = 0;
  int64_t gaps = 0;
  for (size_t kind = 0; kind < counts.passes.size(); ++kind) {
    const auto step_kind = static_cast<StepKind>(kind);
    for (int32_t epilogues = 0; epilogues <= kMostEpilogues; ++epilogues) {
      const int64_t passes = counts.passes[kind][static_cast<size_t>(epilogues)];
      if (passes == 0) {
        continue;
      }
      times.steps[kind] =
          checked_add(times.steps[kind], checked_multiply(passes, tiles, kPlace), kPlace);
      const bool is_last = step_kind == counts.last && epilogues == counts.last_epilogues;
      const int64_t followed = passes - (is_last ? 1 : 0);
      const int64_t distance = std::max(least_distance, addition_time(step_kind, epilogues));
      last_pass = checked_add(last_pass, checked_multiply(followed, distance, kPlace), kPlace);
      gaps =
          checked_add(gaps, checked_multiply(followed, distance - least_distance, kPlace), kPlace);
    }
  }
  if (tiles_inner) {
    times.last_issue = checked_add(last_pass, tiles - 1, kPlace);
    times.accumulate_stall = gaps;
    times.accumulators_free = checked_add(last_pass, last_time, kPlace);
  } else {
    times.last_issue = checked_multiply(tiles, checked_add(last_pass, 1, kPlace), kPlace) - 1;
    times.accumulate_stall = checked_multiply(tiles, gaps, kPlace);
    times.accumulators_free = checked_add(times.last_issue, last_time, kPlace);
  }
  times.result = checked_add(times.last_issue, kStagesToResult + last_time, kPlace);
  return times;
}

}  // namespace nibblecore
