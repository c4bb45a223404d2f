// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/machine/program.hpp"
#include "model/machine/trip_runs.hpp"

namespace nibblecore {

/// What the array does along K, whatever the GEMM's rows and columns: the passes of the chunks of
/// one cut of K, and from them times of a region for any number of tiles (docs/cycles.md, "The
/// array").
class ChunkTimes {
 public:
  /// Of a program's cut of K; its rows and columns don't matter.
  explicit ChunkTimes(const Program& program);

  const std::vector<ChunkRun>& runs() const { return runs_; }
  /// Trips of a region: chunks, counted twice where they pass twice.
  int64_t chunks() const { return chunks_; }
  bool pass_twice() const { return runs_.back().part == ChunkPart::kResidual; }

  /// Cycles of the array in a region, from its first step's issue to the cycle behind the last
  /// one's, if operands never are late. InputError where that leaves 64 bits.
  int64_t region_cycles(int64_t tiles) const;
  /// Cycles from the issue of a region's last step, and from that of its last chunk's first step,
  /// until the accumulators hold the sums.
  int64_t result_after_last_issue() const;
  int64_t result_after_last_chunk(int64_t tiles) const;

 private:
  /// Passes that take the same time to the next one on the same accumulator.
  struct EqualPasses {
    int64_t additions;  ///< cycles of
    int64_t count;
  };

  void add_run(const Program& program, const ChunkRun& run);

  std::vector<ChunkRun> runs_;
  int64_t chunks_;
  bool tiles_inner_;
  std::vector<EqualPasses> passes_;         // of a region
  std::vector<EqualPasses> last_followed_;  // of its last chunk, without the last
  int64_t last_additions_ = 0;              // cycles of the last pass
  int64_t steps_inner_a_tile_ = 0;          // cycles of a tile's steps, chunk after chunk
  int64_t steps_inner_waits_ = 0;           // for the last tile, between chunks
};

}  // namespace nibblecore
