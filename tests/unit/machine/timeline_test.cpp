// SPDX-License-Identifier: Apache-2.0
#include "model/machine/timeline.hpp"

#include <gtest/gtest.h>

#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

struct Trips {
  Program program;
  ChunkBody body;
  TripCost cost;
};

/// The chunks in the middle of a region.
Trips middle_of(const RandomProgram& one) {
  const Program program = one.program();
  const ChunkBody body = program.body({0, 0, 1});
  return {program, body, trip_cost(program, body, count_passes(program, body))};
}

Trips first_of(const Program& program) {
  const ChunkBody body = program.body({});
  return {program, body, trip_cost(program, body, count_passes(program, body))};
}

RandomProgram long_program(std::mt19937& random) {
  RandomProgram one = random_program(random, {3, 200});
  while (one.program().chunk_count() < 40) {
    one = random_program(random, {3, 200});
  }
  return one;
}

TEST(Timeline, OneTrip) {
  const Trips trips = first_of(Program(round_machine(), {16, 16, 64, kMxfp4}, {1, 1, 1}));
  Timeline timeline(trips.program);
  timeline.run(trips.body, trips.cost);
  EXPECT_EQ(timeline.end(Unit::kMemoryPort), 4);
  EXPECT_EQ(timeline.end(Unit::kMoveA), 8);
  EXPECT_EQ(timeline.end(Unit::kMoveB), 10);
  EXPECT_EQ(timeline.end(Unit::kArray), 12);
  timeline.finish();
  EXPECT_EQ(timeline.end(Unit::kMemoryPort), 22);
  EXPECT_EQ(timeline.total(), 27);
  EXPECT_EQ(timeline.stall(Unit::kMemoryPort, StallCause::kResult), 14);
  EXPECT_EQ(timeline.stall(Unit::kMoveA, StallCause::kOperandA), 7);
  EXPECT_EQ(timeline.stall(Unit::kMoveB, StallCause::kOperandB), 9);
  EXPECT_EQ(timeline.stall(Unit::kArray, StallCause::kOperandA), 9);
  EXPECT_EQ(timeline.stall(Unit::kArray, StallCause::kOperandB), 2);
}

TEST(Timeline, ContinuesLikeItself) {
  const Trips trips = first_of(Program(round_machine(), {16, 16, 64, kMxfp4}, {1, 1, 1}));
  Timeline timeline(trips.program);
  const Timeline start = timeline;
  EXPECT_TRUE(timeline.continues_like(start));
  timeline.run(trips.body, trips.cost);
  EXPECT_FALSE(timeline.continues_like(start));
}

// Whatever continues alike passes the same time with whatever comes.
TEST(Timeline, WhatContinuesAlikeGoesOnAlike) {
  std::mt19937 random(8);
  int alike = 0;
  for (int i = 0; i < 200; ++i) {
    const RandomProgram one = long_program(random);
    SCOPED_TRACE(one.text());
    const Trips middle = middle_of(one);
    const Trips first = first_of(middle.program);
    Timeline timeline(middle.program);
    timeline.run(first.body, first.cost);
    for (int trip = 0; trip < 30; ++trip) {
      const Timeline before = timeline;
      timeline.run(middle.body, middle.cost);
      if (!timeline.continues_like(before)) {
        continue;
      }
      ++alike;
      Timeline early = before;
      Timeline late = timeline;
      const int64_t shift = late.end(Unit::kArray) - early.end(Unit::kArray);
      for (int next = 0; next < 5; ++next) {
        early.run(middle.body, middle.cost);
        late.run(middle.body, middle.cost);
        for (int unit = 0; unit < kUnits; ++unit) {
          ASSERT_EQ(late.end(static_cast<Unit>(unit)), early.end(static_cast<Unit>(unit)) + shift);
        }
      }
      break;
    }
  }
  EXPECT_GT(alike, 100);
}

TEST(Timeline, AddsPeriodsAsIfTheyWereRun) {
  std::mt19937 random(9);
  int jumps = 0;
  for (int i = 0; i < 200; ++i) {
    const RandomProgram one = long_program(random);
    SCOPED_TRACE(one.text());
    const Trips middle = middle_of(one);
    const Trips first = first_of(middle.program);
    Timeline timeline(middle.program);
    timeline.run(first.body, first.cost);
    for (int trip = 0; trip < 30; ++trip) {
      const Timeline before = timeline;
      timeline.run(middle.body, middle.cost);
      if (!timeline.continues_like(before)) {
        continue;
      }
      ++jumps;
      Timeline jumped = timeline;
      jumped.add_periods(before, 3);
      for (int more = 0; more < 3; ++more) {
        timeline.run(middle.body, middle.cost);
      }
      ASSERT_TRUE(jumped.continues_like(timeline));
      for (int index = 0; index < kUnits; ++index) {
        const auto unit = static_cast<Unit>(index);
        ASSERT_EQ(jumped.end(unit), timeline.end(unit));
        for (int cause = 0; cause < kStallCauses; ++cause) {
          ASSERT_EQ(jumped.stall(unit, static_cast<StallCause>(cause)),
                    timeline.stall(unit, static_cast<StallCause>(cause)));
        }
      }
      break;
    }
  }
  EXPECT_GT(jumps, 100);
}

}  // namespace
}  // namespace nibblecore
