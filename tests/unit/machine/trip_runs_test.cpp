// SPDX-License-Identifier: Apache-2.0
#include "model/machine/trip_runs.hpp"

#include <gtest/gtest.h>

#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

TEST(IndexRuns, FirstMiddleLast) {
  const auto counts = [](int64_t count) {
    std::vector<std::pair<int64_t, int64_t>> pairs;
    for (const IndexRun& run : index_runs(count)) {
      pairs.emplace_back(run.first, run.count);
    }
    return pairs;
  };
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;
  EXPECT_EQ(counts(1), (Pairs{{0, 1}}));
  EXPECT_EQ(counts(2), (Pairs{{0, 1}, {1, 1}}));
  EXPECT_EQ(counts(3), (Pairs{{0, 1}, {1, 1}, {2, 1}}));
  EXPECT_EQ(counts(9), (Pairs{{0, 1}, {1, 7}, {8, 1}}));
}

/// The index of the run's first trip for each index of a loop.
std::vector<int64_t> representatives(const std::vector<IndexRun>& runs) {
  std::vector<int64_t> result;
  for (const IndexRun& run : runs) {
    EXPECT_EQ(run.first, static_cast<int64_t>(result.size()));
    result.insert(result.end(), static_cast<size_t>(run.count), run.first);
  }
  return result;
}

TEST(TripRuns, EveryTripHasTheBodyOfItsRun) {
  std::mt19937 random(6);
  for (int i = 0; i < 1000; ++i) {
    const RandomProgram one = random_program(random, {12, 16});
    SCOPED_TRACE(one.text());
    const Program program = one.program();
    std::vector<IndexRun> chunk_indices;
    for (const ChunkRun& run : chunk_runs(program)) {
      chunk_indices.push_back(run.indices);
    }
    const std::vector<int64_t> outer = representatives(index_runs(program.outer_count()));
    const std::vector<int64_t> inner = representatives(index_runs(program.inner_count()));
    const std::vector<int64_t> chunk = representatives(chunk_indices);
    ASSERT_EQ(static_cast<int64_t>(chunk.size()), program.chunk_count());
    ChunkIndex index;
    do {
      const ChunkIndex same{outer[static_cast<size_t>(index.outer)],
                            inner[static_cast<size_t>(index.inner)],
                            chunk[static_cast<size_t>(index.chunk)]};
      ASSERT_EQ(program.body(index), program.body(same));
    } while (advance(program, index));
  }
}

TEST(ChunkRuns, PassesOfEveryChunk) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    const RandomProgram one = random_program(random, {4, 40});
    SCOPED_TRACE(one.text());
    const Program program = one.program();
    for (const ChunkRun& run : chunk_runs(program)) {
      for (int64_t chunk = run.indices.first; chunk < run.indices.first + run.indices.count;
           ++chunk) {
        const ChunkBody body = program.body({0, 0, chunk});
        const PassCounts counts = count_passes(program, body);
        ASSERT_EQ(run.part, body.part);
        ASSERT_EQ(run.passes.passes, counts.passes);
        ASSERT_EQ(run.passes.last, counts.last);
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore
