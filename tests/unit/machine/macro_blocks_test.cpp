// SPDX-License-Identifier: Apache-2.0
// Factors of macro blocks: what they take of memory and buffers, and where their sums are taken in.
#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/machine/program_cycles.hpp"
#include "model/machine/program_sizes.hpp"
#include "model/machine/tiler.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

using Epilogues = std::vector<int32_t>;

GemmSpec macro_spec(const BlockFormat& format, int64_t k, int64_t length) {
  GemmSpec spec{64, 64, k, format};
  spec.macro_length = length;
  spec.a_has_factors = true;
  spec.b_has_factors = true;
  return spec;
}

/// A has a 2:4 residual, B has factors.
GemmSpec residual_spec(const BlockFormat& format, int64_t length, ResidualOrder order,
                       ResidualAccumulator accumulator) {
  GemmSpec spec = macro_spec(format, 256, length);
  spec.a = OperandPath::kOnlineBf16;
  spec.a_has_factors = false;
  spec.residual = ResidualPattern::kTwoOfFour;
  spec.residual_order = order;
  spec.residual_accumulator = accumulator;
  return spec;
}

Epilogues epilogues(const GemmSpec& spec, int64_t k_steps = 4, int64_t chunk = 0) {
  const Program program(round_machine(), spec, {1, 1, k_steps});
  Epilogues result;
  for (const Pass& pass : program.passes(program.body({0, 0, chunk}))) {
    result.push_back(pass.epilogues);
    EXPECT_EQ(program.additions(pass), program.additions(pass.kind) + pass.epilogues);
  }
  return result;
}

TEST(MacroBlocks, FactorsLieInMemoryAndBothBuffersOfTheirOperands) {
  GemmSpec spec = macro_spec(kMxfp4, 320, 128);
  const Tiling tiling{2, 1, 4};
  const BufferUse both = buffer_use(round_machine(), spec, tiling);
  spec.b_has_factors = false;
  const BufferUse a_alone = buffer_use(round_machine(), spec, tiling);
  spec.a_has_factors = false;
  spec.macro_length = 0;
  const BufferUse none = buffer_use(round_machine(), spec, tiling);
  // Two factors a row in a chunk of 256, two bytes each, in two halves.
  EXPECT_EQ(a_alone.l1_bytes - none.l1_bytes, 2 * 32 * 2 * 2);
  EXPECT_EQ(a_alone.l0a_bytes - none.l0a_bytes, 2 * 32 * 2 * 2);
  EXPECT_EQ(a_alone.l0b_bytes, none.l0b_bytes);
  EXPECT_EQ(both.l1_bytes - a_alone.l1_bytes, 2 * 16 * 2 * 2);
  EXPECT_EQ(both.l0b_bytes - none.l0b_bytes, 2 * 16 * 2 * 2);
  EXPECT_EQ(both.l0c_bytes, 2 * none.l0c_bytes);
  EXPECT_EQ(a_alone.l0c_bytes, both.l0c_bytes);

  const Program with(round_machine(), macro_spec(kMxfp4, 320, 128), tiling);
  const Program without(round_machine(), spec, tiling);
  // Three macro blocks a row, the last one cut short.
  EXPECT_EQ(with.a_image_bytes() - without.a_image_bytes(), 64 * 3 * 2);
  EXPECT_EQ(with.b_image_bytes() - without.b_image_bytes(), 64 * 3 * 2);
  EXPECT_EQ(with.body({0, 0, 0}).load_a_bytes - without.body({0, 0, 0}).load_a_bytes, 32 * 2 * 2);
  EXPECT_EQ(with.body({0, 0, 1}).load_a_bytes - without.body({0, 0, 1}).load_a_bytes, 32 * 2);
  EXPECT_EQ(with.body({0, 0, 1}).move_b_bytes - without.body({0, 0, 1}).move_b_bytes, 16 * 2);
}

TEST(MacroBlocks, BothCorrectionsTakeFourNumbersAnOutput) {
  const GemmSpec spec =
      residual_spec(kMxfp4, 128, ResidualOrder::kInterleaved, ResidualAccumulator::kOwn);
  EXPECT_EQ(accumulators_an_output(spec), 4);
  EXPECT_EQ(buffer_use(round_machine(), spec, {2, 1, 2}).l0c_bytes, 2 * 4 * 4 * 32 * 16);
}

TEST(MacroBlocks, WhatCanNotRunIsRefused) {
  const auto refuses = [](auto change) {
    GemmSpec spec = macro_spec(kMxfp4, 256, 128);
    change(spec);
    EXPECT_THROW(Program(round_machine(), spec, {1, 1, 4}), InputError);
  };
  refuses([](GemmSpec& spec) { spec.format = kNvfp4; });
  refuses([](GemmSpec& spec) { spec.macro_length = 96; });
  refuses([](GemmSpec& spec) { spec.macro_length = 32; });
  refuses([](GemmSpec& spec) { spec.macro_length = -128; });
  refuses([](GemmSpec& spec) { spec.macro_length = 0; });
  refuses([](GemmSpec& spec) { spec.a_has_factors = spec.b_has_factors = false; });
  refuses([](GemmSpec& spec) { spec.a = OperandPath::kOnlineBf16; });
  refuses([](GemmSpec& spec) { spec.b = OperandPath::kOnlineFp32; });
  // A chunk inside a macro block.
  EXPECT_THROW(Program(round_machine(), macro_spec(kMxfp4, 256, 128), {1, 1, 1}), InputError);
  EXPECT_FALSE(fits(round_machine(), macro_spec(kMxfp4, 256, 128), {1, 1, 3}));
  EXPECT_TRUE(fits(round_machine(), macro_spec(kMxfp4, 256, 128), {1, 1, 2}));
}

TEST(MacroBlocks, TheLastStepOfAMacroBlockAddsOnceMore) {
  EXPECT_EQ(epilogues(macro_spec(kMxfp4, 256, 128)), (Epilogues{0, 1, 0, 1}));
  EXPECT_EQ(epilogues(macro_spec(kMxfp4, 256, 64)), (Epilogues{1, 1, 1, 1}));
  EXPECT_EQ(epilogues(macro_spec(kMxfp4, 300, 128), 8), (Epilogues{0, 1, 0, 1, 1})) << "end of K";
  EXPECT_EQ(epilogues(macro_spec(kMxfp4, 256, 1024)), (Epilogues{0, 0, 0, 1}));
  EXPECT_EQ(epilogues(macro_spec(kMxfp4, 512, 128), 2, 1), (Epilogues{0, 1}));
}

TEST(MacroBlocks, InterleavedResidualsShareTheEpilogueOfTheirMacroBlock) {
  constexpr ResidualOrder kOrder = ResidualOrder::kInterleaved;
  // Dense, dense, 2:4 over both, twice.
  EXPECT_EQ(epilogues(residual_spec(kMxfp4, 128, kOrder, ResidualAccumulator::kShared)),
            (Epilogues{0, 0, 1, 0, 0, 1}));
  // A 2:4 step over two macro blocks takes two sums in.
  EXPECT_EQ(epilogues(residual_spec(kHif4, 64, kOrder, ResidualAccumulator::kShared)),
            (Epilogues{1, 1, 2, 1, 1, 2}));
  GemmSpec beside = residual_spec(kMxfp4, 128, kOrder, ResidualAccumulator::kShared);
  beside.residual_build = ResidualBuild::kParallel;
  EXPECT_EQ(epilogues(beside), (Epilogues{0, 1, 0, 1}));
}

TEST(MacroBlocks, AppendedResidualsHaveEpiloguesOfTheirOwn) {
  constexpr ResidualOrder kOrder = ResidualOrder::kAppended;
  EXPECT_EQ(epilogues(residual_spec(kMxfp4, 128, kOrder, ResidualAccumulator::kShared)),
            (Epilogues{0, 1, 0, 1, 1, 1}));
  EXPECT_EQ(epilogues(residual_spec(kMxfp4, 256, kOrder, ResidualAccumulator::kShared)),
            (Epilogues{0, 0, 0, 0, 0, 1}))
      << "one macro block: the residual's blocks go on in it";
  const GemmSpec twice = residual_spec(kMxfp4, 128, kOrder, ResidualAccumulator::kShared);
  EXPECT_EQ(epilogues(twice, 2, 1), (Epilogues{0, 1}));
  EXPECT_EQ(epilogues(twice, 2, 2), (Epilogues{1}));
}

TEST(MacroBlocks, AccumulatorsOfTheirOwnTakeSumsInOnTheirOwn) {
  EXPECT_EQ(
      epilogues(residual_spec(kMxfp4, 128, ResidualOrder::kInterleaved, ResidualAccumulator::kOwn)),
      (Epilogues{0, 1, 1, 0, 1, 1}));
  EXPECT_EQ(
      epilogues(residual_spec(kMxfp4, 256, ResidualOrder::kAppended, ResidualAccumulator::kOwn)),
      (Epilogues{0, 0, 0, 1, 0, 1}));
  GemmSpec beside =
      residual_spec(kMxfp4, 128, ResidualOrder::kInterleaved, ResidualAccumulator::kOwn);
  beside.residual_build = ResidualBuild::kParallel;
  EXPECT_EQ(epilogues(beside), (Epilogues{0, 2, 0, 2}));
}

TEST(MacroBlocks, TheTilerCutsNone) {
  const Machine machine = round_machine();
  for (const int64_t length : {64, 192, 256, 4096}) {
    const GemmSpec spec = macro_spec(kHif4, 1000, length);
    for (const Tiling& tiling : candidate_tilings(machine, spec)) {
      EXPECT_TRUE(fits(machine, spec, tiling)) << length << ", " << tiling.k_steps;
    }
  }
}

TEST(MacroBlocks, LongerOnesNeverTakeMoreCycles) {
  std::mt19937 random(91);
  int compared = 0;
  int faster = 0;
  for (int i = 0; i < 800; ++i) {
    RandomProgram one = random_program(random, {5, 8});
    if (one.spec.macro_length == 0) {
      continue;
    }
    ++compared;
    const int64_t before = program_cycles(one.program()).total;
    GemmSpec plain = one.spec;
    plain.a_has_factors = plain.b_has_factors = false;
    plain.macro_length = 0;
    EXPECT_LE(program_cycles(Program(one.machine, plain, one.tiling)).total, before) << one.text();
    one.spec.macro_length *= 2;
    if (fits(one.machine, one.spec, one.tiling)) {
      const int64_t after = program_cycles(one.program()).total;
      EXPECT_LE(after, before) << one.text();
      faster += after < before ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 150);
  EXPECT_GT(faster, 10);
}

}  // namespace
}  // namespace nibblecore
