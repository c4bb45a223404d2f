// SPDX-License-Identifier: Apache-2.0
#include "model/machine/chunk_times.hpp"

#include <algorithm>
#include <string_view>

#include "model/common/checked.hpp"

namespace nibblecore {
namespace {

constexpr std::string_view kPlace = "cycles of a GEMM";

int64_t times(int64_t a, int64_t b) { return checked_multiply(a, b, kPlace); }
int64_t plus(int64_t a, int64_t b) { return checked_add(a, b, kPlace); }

}  // namespace

ChunkTimes::ChunkTimes(const Program& program)
    : runs_(chunk_runs(program)),
      chunks_(program.chunk_count()),
      tiles_inner_(program.tiling().step_order == StepOrder::kTilesInner) {
  for (const ChunkRun& run : runs_) {
    add_run(program, run);
  }
}

void ChunkTimes::add_run(const Program& program, const ChunkRun& run) {
  const bool ends_region = &run == &runs_.back();
  const auto cycles = [&](StepKind kind, int64_t epilogues) {
    return times(program.additions(kind) + epilogues, program.machine().accumulate_latency);
  };
  int64_t tile_cycles = 1;
  for (size_t kind = 0; kind < run.passes.passes.size(); ++kind) {
    const auto step_kind = static_cast<StepKind>(kind);
    for (int32_t epilogues = 0; epilogues <= kMostEpilogues; ++epilogues) {
      const int64_t count = run.passes.passes[kind][static_cast<size_t>(epilogues)];
      if (count == 0) {
        continue;
      }
      const bool has_last = step_kind == run.passes.last && epilogues == run.passes.last_epilogues;
      const int64_t followed = count - (has_last ? 1 : 0);
      const int64_t additions = cycles(step_kind, epilogues);
      const auto same = std::find_if(passes_.begin(), passes_.end(), [&](const EqualPasses& of) {
        return of.additions == additions;
      });
      EqualPasses& all =
          same != passes_.end() ? *same : passes_.emplace_back(EqualPasses{additions, 0});
      all.count = plus(all.count, times(count, run.indices.count));
      tile_cycles = plus(tile_cycles, times(followed, std::max<int64_t>(1, additions)));
      if (ends_region && followed > 0) {
        last_followed_.push_back({additions, followed});
      }
    }
  }
  const int64_t last = cycles(run.passes.last, run.passes.last_epilogues);
  steps_inner_a_tile_ = plus(steps_inner_a_tile_, times(tile_cycles, run.indices.count));
  if (ends_region) {
    last_additions_ = last;
  } else {
    steps_inner_waits_ = plus(steps_inner_waits_, times(last - 1, run.indices.count));
  }
}

int64_t ChunkTimes::region_cycles(int64_t tiles) const {
  if (!tiles_inner_) {
    return plus(times(tiles, steps_inner_a_tile_), steps_inner_waits_);
  }
  // A pass, or the additions on its first tile, before the next; behind the last one only its
  // tiles.
  int64_t cycles = 0;
  for (const EqualPasses& pass : passes_) {
    cycles = plus(cycles, times(pass.count, std::max(tiles, pass.additions)));
  }
  return cycles - std::max(tiles, last_additions_) + tiles;
}

int64_t ChunkTimes::result_after_last_issue() const {
  return plus(kStagesToResult, last_additions_);
}

int64_t ChunkTimes::result_after_last_chunk(int64_t tiles) const {
  const int64_t least_distance = tiles_inner_ ? tiles : 1;
  int64_t last_pass = 0;
  for (const EqualPasses& pass : last_followed_) {
    last_pass = plus(last_pass, times(pass.count, std::max(least_distance, pass.additions)));
  }
  const int64_t last_issue =
      tiles_inner_ ? plus(last_pass, tiles - 1) : times(tiles, plus(last_pass, 1)) - 1;
  return plus(last_issue, result_after_last_issue());
}

}  // namespace nibblecore
