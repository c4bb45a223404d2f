// SPDX-License-Identifier: Apache-2.0
#include "model/machine/chunk_times.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

// Chunk after chunk, each behind the additions of the one before: region_cycles sums the same by
// kinds of passes.
TEST(ChunkTimes, OfARegionAreThoseOfItsChunks) {
  std::mt19937 random(60);
  for (int i = 0; i < 3000; ++i) {
    const RandomProgram one = random_program(random, {3, 12});
    SCOPED_TRACE(one.text());
    const Program program = one.program();
    const ChunkTimes times(program);
    EXPECT_EQ(times.chunks(), program.chunk_count());
    for (const int64_t tiles : {1, 2, 7, 40}) {
      int64_t cycles = 0;
      StepTimes last;
      for (int64_t chunk = 0; chunk < program.chunk_count(); ++chunk) {
        const ChunkBody body = program.body({0, 0, chunk});
        last = step_times(program, count_passes(program, body), tiles);
        const bool ends_region = chunk == program.chunk_count() - 1;
        cycles += ends_region ? last.last_issue + 1
                              : std::max(last.last_issue + 1, last.accumulators_free);
      }
      EXPECT_EQ(times.region_cycles(tiles), cycles);
      EXPECT_EQ(times.result_after_last_chunk(tiles), last.result);
      EXPECT_EQ(times.result_after_last_issue(), last.result - last.last_issue);
    }
  }
}

}  // namespace
}  // namespace nibblecore
