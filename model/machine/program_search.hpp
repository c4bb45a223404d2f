// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "model/machine/chunk_times.hpp"
#include "model/machine/cycle_bound.hpp"
#include "model/machine/cycle_report.hpp"
#include "model/machine/program.hpp"
#include "model/machine/tiling_candidates.hpp"

namespace nibblecore {

/// A program and its cycles.
struct FoundProgram {
  Program program;
  CycleReport report;
};

/// Searches the fastest programs of GEMMs that differ in M and N alone, such as the shares of a
/// GEMM's cores: what depends on K is worked out once.
class ProgramSearch {
 public:
  /// `spec` with any M and N. InputError where the core does not take the GEMM.
  ProgramSearch(const Machine& machine, const GemmSpec& spec, const TilingChoice& choice);
  // It refers to itself.
  ProgramSearch(const ProgramSearch&) = delete;
  ProgramSearch& operator=(const ProgramSearch&) = delete;

  /// The program of m x n outputs that takes the fewest cycles of all candidates that fit the
  /// buffers, of equally fast ones the first in the order of candidate_tilings; nothing where all
  /// take more than `limit` (exact branch and bound by CycleBound). InputError where none fits.
  std::optional<FoundProgram> fastest(int64_t m, int64_t n,
                                      int64_t limit = std::numeric_limits<int64_t>::max());

  /// True where it is cheap to show that fastest() takes at most `limit`: a program like the one
  /// that was found last does. False says nothing.
  bool surely_within(int64_t m, int64_t n, int64_t limit) const;

 private:
  struct Candidate {
    Tiling tiling;
    const ChunkTimes* chunks;
    int64_t bound;
  };

  GemmSpec spec_of(int64_t m, int64_t n) const;
  const ChunkTimes* chunk_times(int64_t k_steps);
  /// Those of these sizes that fit and are not known to take more than `limit`.
  void add_candidates(const GemmSpec& spec, const Tiling& sizes, const ChunkTimes& chunks,
                      int64_t limit, std::vector<Candidate>& candidates) const;
  /// The cycles of a candidate of these sizes that is likely fast; the most that there is where
  /// none is known.
  int64_t guess(const GemmSpec& spec, const TilingSizes& sizes) const;
  /// All of them, by bound; of equal ones in the order of candidate_tilings.
  std::vector<Candidate> candidates(const GemmSpec& spec, int64_t limit);
  FoundProgram found(const GemmSpec& spec, const Tiling& tiling) const;

  Machine machine_;
  GemmSpec spec_;
  TilingChoice choice_;
  std::vector<LoopOrder> loop_orders_;
  std::vector<Residency> residencies_;
  CycleBound bound_;
  std::optional<Tiling> last_;  // that was found, a good guess for other extents
  std::map<int64_t, std::optional<ChunkTimes>> chunk_times_;  // by k_steps; none: it fits never
};

}  // namespace nibblecore
