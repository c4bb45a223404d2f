// SPDX-License-Identifier: Apache-2.0
#include "hw/units/port_walk.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore::hw {
namespace {

/// The operations in order, as "A012" for a load of A for the trip of outer 0, inner 1, chunk 2; D
/// is a store, C the start values, followed by the region's count.
std::string walk_of(const Program& program) {
  PortWalk walk;
  walk.start(program);
  std::string text;
  for (; !walk.done(); walk.pop()) {
    const PortOperation& operation = walk.front();
    constexpr std::string_view kLetters = "ABDC";
    text += kLetters.at(static_cast<size_t>(operation.kind));
    text += std::to_string(operation.index.outer) + std::to_string(operation.index.inner) +
            std::to_string(operation.index.chunk);
    const bool counts = operation.kind == PortOperationKind::kStore ||
                        operation.kind == PortOperationKind::kLoadStart;
    text += counts ? "r" + std::to_string(operation.region) + " " : " ";
  }
  return text;
}

GemmSpec spec(int64_t m, int64_t n, int64_t k) { return {m, n, k, kMxfp4}; }

TEST(PortWalkTest, AStoreTakesItsTurnTwoTripsAfterItsRegionsEnd) {
  EXPECT_EQ(walk_of({round_machine(), spec(16, 64, 64), {1, 1, 1}}),
            "A000 B000 A010 B010 A020 B020 D000r0 A030 B030 D010r1 D020r2 D030r3 ");
}

TEST(PortWalkTest, RegionsOfSeveralChunksStoreInTheMiddleOfALaterOne) {
  EXPECT_EQ(walk_of({round_machine(), spec(16, 32, 192), {1, 1, 1}}),
            "A000 B000 A001 B001 A002 B002 A010 B010 A011 B011 D002r0 A012 B012 D012r1 ");
}

TEST(PortWalkTest, StartValuesComeBehindTheStoreThatFreesTheirHalf) {
  GemmSpec with_start = spec(16, 64, 64);
  with_start.start = Start::kFromMemory;
  EXPECT_EQ(walk_of({round_machine(), with_start, {1, 1, 1}}),
            "A000 B000 C000r0 A010 B010 C010r1 A020 B020 D000r0 C020r2 A030 B030 D010r1 C030r3 "
            "D020r2 D030r3 ");
}

TEST(PortWalkTest, AKeptPanelIsLoadedOnceAnOuterRegion) {
  EXPECT_EQ(
      walk_of({round_machine(),
               spec(32, 32, 128),
               {1, 1, 1, LoopOrder::kRowsOuter, StepOrder::kTilesInner, Residency::kOuterKept}}),
      "A000 B000 A001 B001 B010 B011 D001r0 A100 B100 A101 B101 D011r1 B110 B111 D101r2 "
      "D111r3 ");
  EXPECT_EQ(
      walk_of({round_machine(),
               spec(32, 16, 64),
               {1, 1, 1, LoopOrder::kColumnsOuter, StepOrder::kTilesInner, Residency::kOuterKept}}),
      "A000 B000 A010 D000r0 D010r1 ");
}

TEST(PortWalkTest, StoppedItHasNothingLeft) {
  const Program program(round_machine(), spec(16, 16, 64), {1, 1, 1});
  PortWalk walk;
  walk.start(program);
  EXPECT_FALSE(walk.done());
  walk.stop();
  EXPECT_TRUE(walk.done());
  walk.start(program);
  EXPECT_EQ(walk.front().kind, PortOperationKind::kLoadA);
}

}  // namespace
}  // namespace nibblecore::hw
