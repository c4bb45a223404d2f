// SPDX-License-Identifier: Apache-2.0
#include "model/machine/cycle_bound.hpp"

#include <gtest/gtest.h>

#include "model/machine/program_cycles.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

TEST(LeastCycles, NeverMoreThanTheProgramTakes) {
  std::mt19937 random(20);
  int reached = 0;
  for (int i = 0; i < 10'000; ++i) {
    const RandomProgram one = random_program(random, {10, 16});
    const Program program = one.program();
    const int64_t total = program_cycles(program).total;
    const int64_t least = least_cycles(program);
    ASSERT_LE(least, total) << one.text();
    reached += least == total ? 1 : 0;
  }
  // And it is worth something: many programs take no more.
  EXPECT_GT(reached, 1000);
}

TEST(LeastCycles, OfOneTripIsExact) {
  std::mt19937 random(21);
  for (int i = 0; i < 300; ++i) {
    RandomProgram one = random_program(random, {1, 1});
    const Program program = one.program();
    if (program.chunk_count() == 1) {
      EXPECT_EQ(least_cycles(program), program_cycles(program).total) << one.text();
    }
  }
}

}  // namespace
}  // namespace nibblecore
