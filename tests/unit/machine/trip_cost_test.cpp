// SPDX-License-Identifier: Apache-2.0
#include "model/machine/trip_cost.hpp"

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

TripCost first_cost(const Program& program) {
  const ChunkBody body = program.body({});
  return trip_cost(program, body, count_passes(program, body));
}

TEST(TripCost, OfPackedOperands) {
  // 2 x 3 tiles, 2 steps deep: A 32 rows of 68 bytes, B 48 of them; 32 x 48 x 4 bytes of result.
  const Program program(round_machine(), {32, 48, 128, kMxfp4}, {2, 3, 2});
  const TripCost cost = first_cost(program);
  EXPECT_EQ(cost.load_a, 8);
  EXPECT_EQ(cost.load_b, 12);
  EXPECT_EQ(cost.start, 0);
  EXPECT_EQ(cost.store, 23);  // 6144 / 272 = 22.6
  EXPECT_EQ(cost.move_a, 4);
  EXPECT_EQ(cost.move_b, 6);
  EXPECT_EQ(cost.steps.all_steps(), 12);
  EXPECT_EQ(move_a_latency(program), 1);
  EXPECT_EQ(move_b_latency(program), 1);
}

TEST(TripCost, StartValuesAndNarrowResults) {
  GemmSpec spec{32, 48, 128, kMxfp4};
  spec.start = Start::kFromMemory;
  spec.output = OutputWidth::kBf16;
  const TripCost cost = first_cost(Program(round_machine(), spec, {2, 3, 2}));
  EXPECT_EQ(cost.start, 23);
  EXPECT_EQ(cost.store, 12);  // 3072 / 272 = 11.3
}

TEST(TripCost, AnOnlineMoveIsHeldByTheSlowerOfTransferAndQuantizer) {
  Machine machine = round_machine();
  const GemmSpec spec{16, 16, 64, kMxfp4, OperandPath::kOnlineBf16, OperandPath::kOnlineFp32};
  // 32 blocks of each operand: 2048 bytes of A at 544 a cycle, 4096 of B.
  const TripCost wide = first_cost(Program(machine, spec, {1, 1, 1}));
  EXPECT_EQ(wide.load_a, 8);
  EXPECT_EQ(wide.load_b, 16);
  EXPECT_EQ(wide.move_a, 4);
  EXPECT_EQ(wide.move_b, 8);
  machine.quantizer_values_per_cycle = 11;  // 3 cycles a block
  const TripCost narrow = first_cost(Program(machine, spec, {1, 1, 1}));
  EXPECT_EQ(narrow.move_a, 96);
  EXPECT_EQ(narrow.move_b, 96);
  machine.quantizer_values_per_cycle = 32;
  EXPECT_EQ(first_cost(Program(machine, spec, {1, 1, 1})).move_a, 32);
}

TEST(TripCost, QuantizerAndResidualAddToTheLatency) {
  const Machine machine = round_machine();
  GemmSpec spec{16, 16, 64, kMxfp4, OperandPath::kOnlineBf16, OperandPath::kOnlineBf16};
  const Program online(machine, spec, {1, 1, 1});
  EXPECT_EQ(move_a_latency(online), 1 + 4 + 1);
  EXPECT_EQ(move_b_latency(online), 1 + 4 + 1);
  spec.residual = ResidualPattern::kDense;
  const Program residual(machine, spec, {1, 1, 1});
  EXPECT_EQ(move_a_latency(residual), 1 + 4 + 3 + 1);
  EXPECT_EQ(move_b_latency(residual), 1 + 4 + 1);
}

TEST(TripCost, DurationsThatLeave64BitsAreRefused) {
  Machine machine = round_machine();
  machine.memory = {1, int64_t{1} << 61};
  const Program program(machine, {1, 1, 1, kMxfp4}, {1, 1, 1});
  EXPECT_THROW(first_cost(program), InputError);
}

}  // namespace
}  // namespace nibblecore
