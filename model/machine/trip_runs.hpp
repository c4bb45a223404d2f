// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/machine/program.hpp"
#include "model/machine/step_times.hpp"

namespace nibblecore {

/// A loop's indices [first, first + count), whose trips have equal bodies.
struct IndexRun {
  int64_t first;
  int64_t count;
};

/// Of a loop of `count` >= 1 indices: its first index, those in the middle, its last. A program's
/// bodies differ along a loop only there.
std::vector<IndexRun> index_runs(int64_t count);

/// Of the loop over chunks, with the passes of each run; where the chunks pass twice, the second
/// time has runs of its own.
struct ChunkRun {
  IndexRun indices;
  ChunkPart part;
  PassCounts passes;
};
std::vector<ChunkRun> chunk_runs(const Program& program);

}  // namespace nibblecore
