// SPDX-License-Identifier: Apache-2.0
#include "model/machine/trip_runs.hpp"

namespace nibblecore {

std::vector<IndexRun> index_runs(int64_t count) {
  std::vector<IndexRun> runs{{0, 1}};
  if (count > 2) {
    runs.push_back({1, count - 2});
  }
  if (count > 1) {
    runs.push_back({count - 1, 1});
  }
  return runs;
}

std::vector<ChunkRun> chunk_runs(const Program& program) {
  const int64_t chunks = program.chunk_count();
  const bool twice = program.body({0, 0, chunks - 1}).part == ChunkPart::kResidual;
  const int64_t once = twice ? chunks / 2 : chunks;
  std::vector<ChunkRun> runs;
  for (int64_t start = 0; start < chunks; start += once) {
    for (const IndexRun& run : index_runs(once)) {
      const int64_t first = start + run.first;
      const ChunkBody body = program.body({0, 0, first});
      runs.push_back({{first, run.count}, body.part, count_passes(program, body)});
    }
  }
  return runs;
}

}  // namespace nibblecore
