// SPDX-License-Identifier: Apache-2.0
// A residual with accumulators of its own: what it takes of L0C, and that it takes no cycles.
#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/machine/program_cycles.hpp"
#include "model/machine/tiler.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

GemmSpec with(GemmSpec spec, ResidualAccumulator accumulator) {
  spec.residual_accumulator = accumulator;
  return spec;
}

GemmSpec residual_spec() {
  GemmSpec spec{64, 64, 256, kMxfp4, OperandPath::kOnlineBf16};
  spec.residual = ResidualPattern::kTwoOfFour;
  return spec;
}

TEST(ResidualAccumulator, TakesASecondNumberAnOutput) {
  const Tiling tiling{2, 3, 2};
  const BufferUse shared = buffer_use(round_machine(), residual_spec(), tiling);
  const BufferUse own =
      buffer_use(round_machine(), with(residual_spec(), ResidualAccumulator::kOwn), tiling);
  EXPECT_EQ(shared.l0c_bytes, 2 * 4 * 32 * 48);
  EXPECT_EQ(own.l0c_bytes, 2 * shared.l0c_bytes);
  EXPECT_EQ(own.l1_bytes, shared.l1_bytes);
  EXPECT_EQ(own.l0a_bytes, shared.l0a_bytes);
  EXPECT_EQ(own.l0b_bytes, shared.l0b_bytes);
}

TEST(ResidualAccumulator, WithoutAResidualIsRefused) {
  const GemmSpec spec = with({64, 64, 256, kMxfp4}, ResidualAccumulator::kOwn);
  EXPECT_THROW(Program(round_machine(), spec, {1, 1, 1}), InputError);
  EXPECT_THROW(choose_program(round_machine(), spec), InputError);
}

TEST(ResidualAccumulator, TakesNoCyclesWhereItFits) {
  std::mt19937 random(71);
  int with_residual = 0;
  for (int i = 0; i < 300; ++i) {
    const RandomProgram one = random_program(random, {6, 9});
    // Epilogues of macro blocks are as many as there are accumulators to take sums in.
    if (one.spec.residual == ResidualPattern::kNone || one.spec.macro_length > 0) {
      continue;
    }
    ++with_residual;
    const auto cycles = [&](ResidualAccumulator accumulator) {
      return program_cycles(Program(one.machine, with(one.spec, accumulator), one.tiling));
    };
    EXPECT_TRUE(cycles(ResidualAccumulator::kShared) == cycles(ResidualAccumulator::kOwn))
        << one.text();
  }
  EXPECT_GT(with_residual, 80);
}

TEST(ResidualAccumulator, LeavesSmallerRegionsToTheTiler) {
  Machine machine = round_machine();
  machine.l0c_bytes = 2 * 4 * 32 * 32;
  const auto tiles = [&](ResidualAccumulator accumulator) {
    const Program program = choose_program(machine, with(residual_spec(), accumulator));
    EXPECT_LE(buffer_use(machine, program.spec(), program.tiling()).l0c_bytes, machine.l0c_bytes);
    return program.body({}).tiles();
  };
  EXPECT_EQ(tiles(ResidualAccumulator::kShared), 4);
  EXPECT_EQ(tiles(ResidualAccumulator::kOwn), 2);
  machine.l0c_bytes = 2 * 4 * 16 * 16;
  EXPECT_THROW(choose_program(machine, with(residual_spec(), ResidualAccumulator::kOwn)),
               InputError);
}

}  // namespace
}  // namespace nibblecore
