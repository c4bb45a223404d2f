// SPDX-License-Identifier: Apache-2.0
#include "model/machine/program_search.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "model/common/error.hpp"
#include "model/machine/program_cycles.hpp"

namespace nibblecore {
namespace {

/// The smallest of all candidates, to name the buffer that is too small for it.
void require_one_that_fits(const Machine& machine, const GemmSpec& spec,
                           const TilingChoice& choice) {
  const TilingSizes all = candidate_sizes(machine, spec);
  const TilingSizes least{
      {all.row_tiles.front()}, {all.column_tiles.front()}, {all.k_steps.front()}};
  Program(machine, spec, combinations(least, choice).front());
}

}  // namespace

ProgramSearch::ProgramSearch(const Machine& machine, const GemmSpec& spec,
                             const TilingChoice& choice)
    : machine_(machine),
      spec_(spec),
      choice_(choice),
      loop_orders_(loop_orders(choice)),
      residencies_(residencies(choice)),
      bound_(machine_, spec_) {}

GemmSpec ProgramSearch::spec_of(int64_t m, int64_t n) const {
  GemmSpec spec = spec_;
  spec.m = m;
  spec.n = n;
  return spec;
}

const ChunkTimes* ProgramSearch::chunk_times(int64_t k_steps) {
  const auto known = chunk_times_.find(k_steps);
  if (known != chunk_times_.end()) {
    return known->second ? &*known->second : nullptr;
  }
  // One output: what does not fit for that fits for no extents.
  const GemmSpec spec = spec_of(1, 1);
  Tiling tiling{1, 1, k_steps};
  tiling.step_order = choice_.step_order.value_or(StepOrder::kTilesInner);
  std::optional<ChunkTimes>& times = chunk_times_[k_steps];
  if (fits(machine_, spec, tiling)) {
    times.emplace(Program(machine_, spec, tiling));
  }
  return times ? &*times : nullptr;
}

void ProgramSearch::add_candidates(const GemmSpec& spec, const Tiling& sizes,
                                   const ChunkTimes& chunks, int64_t limit,
                                   std::vector<Candidate>& candidates) const {
  if (far_too_large(machine_, spec, sizes)) {
    return;
  }
  const CycleBound::Regions regions = bound_.regions(spec.m, spec.n, sizes, chunks);
  // Streamed, either loop order takes the same of the buffers; a kept panel takes more of L1.
  if (regions.least > limit || !fits(machine_, spec, sizes)) {
    return;
  }
  for (const Residency residency : residencies_) {
    for (const LoopOrder loop_order : loop_orders_) {
      Tiling tiling = sizes;
      tiling.residency = residency;
      tiling.loop_order = loop_order;
      const int64_t bound = bound_.least_cycles(regions, loop_order, residency);
      if (bound <= limit && (residency == Residency::kStreamed ||
                             buffer_use(machine_, spec, tiling).l1_bytes <= machine_.l1_bytes)) {
        candidates.push_back({tiling, &chunks, bound});
      }
    }
  }
}

int64_t ProgramSearch::guess(const GemmSpec& spec, const TilingSizes& sizes) const {
  constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();
  const bool has_sizes =
      !sizes.row_tiles.empty() && !sizes.column_tiles.empty() && !sizes.k_steps.empty();
  if (!last_ || !has_sizes) {
    return kUnknown;
  }
  // Only a candidate's cycles may limit the candidates.
  const auto at_most = [](const std::vector<int64_t>& values, int64_t value) {
    const auto above = std::upper_bound(values.begin(), values.end(), value);
    return above == values.begin() ? *above : *std::prev(above);
  };
  Tiling tiling = *last_;
  tiling.row_tiles = at_most(sizes.row_tiles, tiling.row_tiles);
  tiling.column_tiles = at_most(sizes.column_tiles, tiling.column_tiles);
  tiling.k_steps = at_most(sizes.k_steps, tiling.k_steps);
  if (!fits(machine_, spec, tiling)) {
    return kUnknown;
  }
  const Program program(machine_, spec, tiling);
  const auto known = chunk_times_.find(tiling.k_steps);
  return known != chunk_times_.end() && known->second
             ? program_cycles(program, known->second->runs()).total
             : program_cycles(program).total;
}

std::vector<ProgramSearch::Candidate> ProgramSearch::candidates(const GemmSpec& spec,
                                                                int64_t limit) {
  const TilingSizes sizes = without_far_too_large(machine_, spec, candidate_sizes(machine_, spec));
  limit = std::min(limit, guess(spec, sizes));
  Tiling tiling{};
  tiling.step_order = choice_.step_order.value_or(StepOrder::kTilesInner);
  std::vector<Candidate> candidates;
  for (const int64_t k_steps : sizes.k_steps) {
    const ChunkTimes* chunks = chunk_times(k_steps);
    if (chunks == nullptr) {
      continue;
    }
    tiling.k_steps = k_steps;
    for (const int64_t row_tiles : sizes.row_tiles) {
      tiling.row_tiles = row_tiles;
      for (const int64_t column_tiles : sizes.column_tiles) {
        tiling.column_tiles = column_tiles;
        add_candidates(spec, tiling, *chunks, limit, candidates);
      }
    }
  }
  // By bound, so that the first ones are likely the best.
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.bound != b.bound ? a.bound < b.bound : comes_before(a.tiling, b.tiling);
  });
  return candidates;
}

bool ProgramSearch::surely_within(int64_t m, int64_t n, int64_t limit) const {
  if (choice_.tiling) {
    return false;
  }
  const GemmSpec spec = spec_of(m, n);
  return guess(spec, without_far_too_large(machine_, spec, candidate_sizes(machine_, spec))) <=
         limit;
}

FoundProgram ProgramSearch::found(const GemmSpec& spec, const Tiling& tiling) const {
  Program program(machine_, spec, tiling);
  const CycleReport report = program_cycles(program);
  return {std::move(program), report};
}

std::optional<FoundProgram> ProgramSearch::fastest(int64_t m, int64_t n, int64_t limit) {
  const GemmSpec spec = spec_of(m, n);
  if (choice_.tiling) {
    FoundProgram only = found(spec, *choice_.tiling);
    return only.report.total <= limit ? std::optional(std::move(only)) : std::nullopt;
  }
  const std::vector<Candidate> candidates = this->candidates(spec, limit);
  if (candidates.empty()) {
    require_one_that_fits(machine_, spec, choice_);
    return std::nullopt;
  }
  const Candidate* best = nullptr;
  CycleReport best_report;
  best_report.total = limit;
  for (const Candidate& candidate : candidates) {
    if (candidate.bound > best_report.total) {
      break;
    }
    const bool wins_ties = best == nullptr || comes_before(candidate.tiling, best->tiling);
    if (candidate.bound == best_report.total && !wins_ties) {
      continue;
    }
    const Program program(machine_, spec, candidate.tiling);
    const CycleReport report = program_cycles(program, candidate.chunks->runs());
    if (report.total < best_report.total || (report.total == best_report.total && wins_ties)) {
      best_report = report;
      best = &candidate;
    }
  }
  if (best == nullptr) {
    return std::nullopt;
  }
  last_ = best->tiling;
  return FoundProgram{Program(machine_, spec, best->tiling), best_report};
}

}  // namespace nibblecore
