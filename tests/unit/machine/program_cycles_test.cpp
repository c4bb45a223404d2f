// SPDX-License-Identifier: Apache-2.0
#include "model/machine/program_cycles.hpp"

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/machine/timeline.hpp"
#include "model/machine/trip_cost.hpp"
#include "tests/unit/machine/cycle_definition.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

void expect_equal(const CycleReport& actual, const CycleReport& expected) {
  EXPECT_EQ(actual.total, expected.total);
  for (int index = 0; index < kUnits; ++index) {
    const auto unit = static_cast<Unit>(index);
    EXPECT_EQ(actual[unit].busy, expected[unit].busy) << name_of(unit);
    EXPECT_EQ(actual[unit].stalls, expected[unit].stalls) << name_of(unit);
    EXPECT_EQ(actual[unit].idle, expected[unit].idle) << name_of(unit);
  }
  EXPECT_EQ(actual.steps, expected.steps);
  EXPECT_EQ(actual.quantized_blocks, expected.quantized_blocks);
  EXPECT_EQ(actual.loaded_bytes, expected.loaded_bytes);
  EXPECT_EQ(actual.stored_bytes, expected.stored_bytes);
}

/// Every trip on its own, nothing repeated.
Timeline plain_timeline(const Program& program) {
  Timeline timeline(program);
  ChunkIndex index;
  do {
    const ChunkBody body = program.body(index);
    timeline.run(body, trip_cost(program, body, count_passes(program, body)));
  } while (advance(program, index));
  timeline.finish();
  return timeline;
}

void expect_plain_equal(const Program& program, const CycleReport& report) {
  const Timeline plain = plain_timeline(program);
  EXPECT_EQ(report.total, plain.total());
  for (int index = 0; index < kUnits; ++index) {
    const auto unit = static_cast<Unit>(index);
    EXPECT_EQ(report[unit].idle, plain.total() - plain.end(unit)) << name_of(unit);
    for (int cause = 0; cause < kStallCauses; ++cause) {
      EXPECT_EQ(report[unit].stalls[static_cast<size_t>(cause)],
                plain.stall(unit, static_cast<StallCause>(cause)))
          << name_of(unit) << ", " << name_of(static_cast<StallCause>(cause));
    }
  }
}

TEST(ProgramCycles, EqualTheDefinitionOnRandomPrograms) {
  std::mt19937 random(1);
  CycleReport seen;
  for (int i = 0; i < 4000 && !HasFailure(); ++i) {
    const RandomProgram one = random_program(random, {8, 12});
    SCOPED_TRACE(one.text());
    const CycleReport report = program_cycles(one.program());
    expect_equal(report, defined_cycles(one.program()).report);
    seen.add(report, 1);
  }
  // The random programs reach every cause that can occur, and every kind of step.
  const auto seen_stall = [&](Unit unit, StallCause cause) {
    return seen[unit].stalls[static_cast<size_t>(cause)];
  };
  EXPECT_GT(seen_stall(Unit::kMemoryPort, StallCause::kFullBuffer), 0);
  EXPECT_GT(seen_stall(Unit::kMemoryPort, StallCause::kResult), 0);
  EXPECT_GT(seen_stall(Unit::kMoveA, StallCause::kOperandA), 0);
  EXPECT_GT(seen_stall(Unit::kMoveA, StallCause::kFullBuffer), 0);
  EXPECT_GT(seen_stall(Unit::kMoveB, StallCause::kOperandB), 0);
  EXPECT_GT(seen_stall(Unit::kMoveB, StallCause::kFullBuffer), 0);
  EXPECT_GT(seen_stall(Unit::kArray, StallCause::kOperandA), 0);
  EXPECT_GT(seen_stall(Unit::kArray, StallCause::kOperandB), 0);
  EXPECT_GT(seen_stall(Unit::kArray, StallCause::kFullBuffer), 0);
  EXPECT_GT(seen_stall(Unit::kArray, StallCause::kStartValues), 0);
  EXPECT_GT(seen_stall(Unit::kArray, StallCause::kAccumulate), 0);
  for (const int64_t steps : seen.steps) {
    EXPECT_GT(steps, 0);
  }
}

TEST(ProgramCycles, DoNotDependOnHowMuchOfABufferIsLeft) {
  std::mt19937 random(2);
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    const RandomProgram one = random_program(random, {8, 12});
    SCOPED_TRACE(one.text());
    const Program full(exactly_full(one), one.spec, one.tiling);
    expect_equal(program_cycles(full), program_cycles(one.program()));
  }
}

TEST(ProgramCycles, PeriodsAddUpToWhatEveryTripGives) {
  std::mt19937 random(3);
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    const RandomProgram one = random_program(random, {60, 200});
    SCOPED_TRACE(one.text());
    expect_plain_equal(one.program(), program_cycles(one.program()));
  }
}

TEST(ProgramCycles, LongLoopsOfChunksEqualTheDefinition) {
  std::mt19937 random(4);
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    const RandomProgram one = random_program(random, {3, 400});
    SCOPED_TRACE(one.text());
    expect_equal(program_cycles(one.program()), defined_cycles(one.program()).report);
  }
}

TEST(ProgramCycles, LongLoopsOfRegionsEqualTheDefinition) {
  std::mt19937 random(5);
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    const RandomProgram one = random_program(random, {30, 3});
    SCOPED_TRACE(one.text());
    expect_equal(program_cycles(one.program()), defined_cycles(one.program()).report);
  }
}

// What a machine with the change takes must be no more, for the same tiling.
template <class Change>
void expect_never_slower(const Change& change, unsigned seed) {
  std::mt19937 random(seed);
  int faster = 0;
  for (int i = 0; i < 400; ++i) {
    RandomProgram one = random_program(random, {8, 12});
    SCOPED_TRACE(one.text());
    const int64_t before = program_cycles(one.program()).total;
    change(one.machine, random);
    const int64_t after = program_cycles(one.program()).total;
    ASSERT_LE(after, before) << one.text();
    faster += after < before ? 1 : 0;
  }
  EXPECT_GT(faster, 20);
}

int64_t less_of(int64_t value, int64_t least, std::mt19937& random) {
  return std::uniform_int_distribution<int64_t>(least, value)(random);
}

void speed_up(Rate& rate, std::mt19937& random) {
  rate = make_rate(rate.bytes + static_cast<int64_t>(random() % 200), rate.cycles);
}

TEST(ProgramCycles, MoreMemoryBandwidthNeverCosts) {
  expect_never_slower(
      [](Machine& machine, std::mt19937& random) { speed_up(machine.memory, random); }, 11);
}

TEST(ProgramCycles, MoreBandwidthOfL1NeverCosts) {
  expect_never_slower(
      [](Machine& machine, std::mt19937& random) {
        speed_up(machine.l1_to_l0a, random);
        speed_up(machine.l1_to_l0b, random);
      },
      12);
}

TEST(ProgramCycles, AFasterQuantizerNeverCosts) {
  expect_never_slower(
      [](Machine& machine, std::mt19937& random) {
        machine.quantizer_values_per_cycle += static_cast<int64_t>(random() % 400);
      },
      13);
}

TEST(ProgramCycles, ShorterLatenciesNeverCost) {
  expect_never_slower(
      [](Machine& machine, std::mt19937& random) {
        machine.memory_latency = less_of(machine.memory_latency, 0, random);
        machine.l1_latency = less_of(machine.l1_latency, 0, random);
        machine.quantizer_latency = less_of(machine.quantizer_latency, 0, random);
        machine.residual_latency = less_of(machine.residual_latency, 0, random);
      },
      14);
}

TEST(ProgramCycles, ShorterAdditionsNeverCost) {
  expect_never_slower(
      [](Machine& machine, std::mt19937& random) {
        machine.accumulate_latency = less_of(machine.accumulate_latency, 1, random);
      },
      15);
}

TEST(ProgramCycles, OfAGemmOfThousandsOfBillionsOfSteps) {
  const Machine machine = round_machine();
  const int64_t extent = int64_t{1} << 22;
  const Program program(machine, {extent, extent, extent, kMxfp4}, {8, 8, 4});
  const CycleReport report = program_cycles(program);
  EXPECT_EQ(report.all_steps(), int64_t{1} << (18 + 18 + 16));
  EXPECT_GE(report.total, report.all_steps());
}

TEST(ProgramCycles, ThatLeave64BitsAreRefused) {
  Machine machine = round_machine();
  machine.memory = {1, int64_t{1} << 40};
  const int64_t extent = int64_t{1} << 18;
  EXPECT_THROW(program_cycles(Program(machine, {extent, extent, extent, kMxfp4}, {8, 8, 4})),
               InputError);
  machine.memory = {1, int64_t{1} << 61};
  EXPECT_THROW(program_cycles(Program(machine, {1, 1, 1, kMxfp4}, {1, 1, 1})), InputError);
}

}  // namespace
}  // namespace nibblecore
