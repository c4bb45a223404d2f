// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/step_bound.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/machine/program_cycles.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore::tb {
namespace {

BoundCycles bound_of(const Machine& machine, const GemmSpec& spec, const Tiling& tiling) {
  return bound_cycles(program_cycles(Program(machine, spec, tiling)));
}

// The cases OneTile, ChunksOfK and StepOrders of docs/cycles.md.

TEST(BoundCycles, OfOneTileAreFill) {
  // 27 cycles, 8 of the port, 1 step: nothing overlaps.
  const BoundCycles bound = bound_of(round_machine(), {16, 16, 64, kMxfp4}, {1, 1, 1});
  EXPECT_EQ(bound.cycles, (std::array<int64_t, kBounds>{0, 8, 19, 0}));
  EXPECT_EQ(bound.largest(), Bound::kFill);
}

TEST(BoundCycles, OfChunksThatThePortHoldsBackAreMemory) {
  // 39 cycles, 4 x 4 loads and 4 of the store.
  const BoundCycles bound = bound_of(round_machine(), {16, 16, 256, kMxfp4}, {1, 1, 1});
  EXPECT_EQ(bound.cycles, (std::array<int64_t, kBounds>{0, 20, 19, 0}));
  EXPECT_EQ(bound.largest(), Bound::kMemory);
}

TEST(BoundCycles, AdditionsThatWaitForEachOtherAreCompute) {
  // A fast port, one tile, 32 steps of 4 cycles each but for the last.
  Machine machine = round_machine();
  machine.memory = {100'000, 1};
  const BoundCycles bound = bound_of(machine, {16, 16, 2048, kMxfp4}, {1, 1, 32});
  EXPECT_EQ(bound[Bound::kCompute], 31 * 4 + 1);
  EXPECT_EQ(bound[Bound::kMemory], 0);
  EXPECT_EQ(bound.largest(), Bound::kCompute);
}

TEST(BoundCycles, ManyStepsAreCompute) {
  Machine machine = round_machine();
  machine.memory = {100'000, 1};
  const BoundCycles bound = bound_of(machine, {128, 128, 1024, kMxfp4}, {8, 8, 4});
  EXPECT_EQ(bound[Bound::kCompute], 64 * 16);
  EXPECT_EQ(bound.largest(), Bound::kCompute);
}

TEST(BoundCycles, SumToTheTotal) {
  std::mt19937 random(80);
  for (int i = 0; i < 1000; ++i) {
    const RandomProgram one = random_program(random, {6, 8});
    const CycleReport report = program_cycles(one.program());
    const BoundCycles bound = bound_cycles(report);
    EXPECT_EQ(bound.total(), report.total) << one.text();
    EXPECT_GE(std::max(bound[Bound::kCompute], bound[Bound::kMemory]),
              std::max(report[Unit::kArray].busy, report[Unit::kMemoryPort].busy))
        << one.text();
    EXPECT_GE(bound[Bound::kFill], 0) << one.text();
    EXPECT_EQ(std::min(bound[Bound::kCompute], bound[Bound::kMemory]), 0) << one.text();
  }
}

}  // namespace
}  // namespace nibblecore::tb
