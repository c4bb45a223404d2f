// SPDX-License-Identifier: Apache-2.0
#include "model/machine/tiler.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/machine/cycle_bound.hpp"
#include "model/machine/program_cycles.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

int64_t any_of(std::mt19937& random, int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(random);
}

/// Buffers between what the tiling of the random program takes and a few times that.
Machine some_buffers(const RandomProgram& one, std::mt19937& random) {
  Machine machine = exactly_full(one);
  machine.l1_bytes *= any_of(random, 1, 6);
  machine.l0a_bytes *= any_of(random, 1, 6);
  machine.l0b_bytes *= any_of(random, 1, 6);
  machine.l0c_bytes *= any_of(random, 1, 6);
  return machine;
}

/// All candidates that fit, by asking each.
struct BruteForce {
  std::optional<Tiling> best;
  int64_t total = std::numeric_limits<int64_t>::max();
  bool tied_by_bound = false;  ///< an equally fast one has a lower bound, but comes later
};

BruteForce brute_force(const Machine& machine, const GemmSpec& spec, const TilingChoice& choice) {
  BruteForce result;
  int64_t best_bound = 0;
  for (const Tiling& tiling : candidate_tilings(machine, spec, choice)) {
    if (!fits(machine, spec, tiling)) {
      continue;
    }
    const Program program(machine, spec, tiling);
    const int64_t total = program_cycles(program).total;
    const int64_t bound = least_cycles(program);
    if (total < result.total) {
      result = {tiling, total, false};
      best_bound = bound;
    } else if (total == result.total && best_bound == total && bound < total) {
      result.tied_by_bound = true;
    }
  }
  return result;
}

TEST(ChooseProgram, EqualsTheFirstOfTheFastestCandidates) {
  std::mt19937 random(30);
  int chosen = 0;
  int tied = 0;
  for (int i = 0; i < 2000; ++i) {
    // Small GEMMs have more candidates that are equally fast.
    const RandomProgram one =
        random_program(random, i % 5 == 0 ? RandomExtents{10, 8} : RandomExtents{4, 4});
    const Machine machine = i % 2 == 0 ? some_buffers(one, random) : one.machine;
    TilingChoice choice;
    choice.step_order = one.tiling.step_order;
    const BruteForce expected = brute_force(machine, one.spec, choice);
    if (!expected.best) {
      EXPECT_THROW(choose_program(machine, one.spec, choice), InputError) << one.text();
      continue;
    }
    ++chosen;
    tied += expected.tied_by_bound ? 1 : 0;
    const Program program = choose_program(machine, one.spec, choice);
    EXPECT_EQ(program_cycles(program).total, expected.total) << one.text();
    EXPECT_EQ(program.tiling(), *expected.best) << one.text();
  }
  EXPECT_GT(chosen, 1500);
  // Cases in which stopping at the bound of an equally fast candidate would choose another.
  EXPECT_GT(tied, 0);
}

TEST(ChooseProgram, MoreBufferNeverCosts) {
  std::mt19937 random(31);
  int faster = 0;
  for (int i = 0; i < 200; ++i) {
    const RandomProgram one = random_program(random, {12, 10});
    Machine machine = some_buffers(one, random);
    int64_t before = 0;
    try {
      before = program_cycles(choose_program(machine, one.spec)).total;
    } catch (const InputError&) {
      continue;  // not even the smallest candidate fits
    }
    for (int64_t Machine::*buffer :
         {&Machine::l1_bytes, &Machine::l0a_bytes, &Machine::l0b_bytes, &Machine::l0c_bytes}) {
      machine.*buffer += any_of(random, 0, 2) * machine.*buffer;
      const int64_t after = program_cycles(choose_program(machine, one.spec)).total;
      ASSERT_LE(after, before) << one.text();
      faster += after < before ? 1 : 0;
      before = after;
    }
  }
  EXPECT_GT(faster, 40);
}

TEST(ChooseProgram, KeepsToWhatIsFixed) {
  const Machine machine = round_machine();
  const GemmSpec spec{100, 200, 1000, kMxfp4};
  for (const LoopOrder loop_order : {LoopOrder::kRowsOuter, LoopOrder::kColumnsOuter}) {
    for (const StepOrder step_order : {StepOrder::kTilesInner, StepOrder::kStepsInner}) {
      for (const Residency residency : {Residency::kStreamed, Residency::kOuterKept}) {
        const Tiling tiling =
            choose_program(machine, spec, {loop_order, step_order, residency, {}}).tiling();
        EXPECT_EQ(tiling.loop_order, loop_order);
        EXPECT_EQ(tiling.step_order, step_order);
        EXPECT_EQ(tiling.residency, residency);
      }
    }
  }
  EXPECT_EQ(choose_program(machine, spec).tiling().step_order, StepOrder::kTilesInner);
  const Tiling fixed{
      3, 5, 7, LoopOrder::kColumnsOuter, StepOrder::kStepsInner, Residency::kOuterKept};
  TilingChoice choice;
  choice.tiling = fixed;
  EXPECT_EQ(choose_program(machine, spec, choice).tiling(), fixed);
}

TEST(ChooseProgram, NothingThatFits) {
  Machine machine = round_machine();
  machine.l0c_bytes = 2048;  // one tile of FP32 in each half
  EXPECT_NO_THROW(choose_program(machine, {100, 100, 100, kMxfp4}));
  --machine.l0c_bytes;
  EXPECT_THROW(choose_program(machine, {100, 100, 100, kMxfp4}), InputError);
}

TEST(ChooseProgram, WhatProgramRefuses) {
  const Machine machine = round_machine();
  EXPECT_THROW(choose_program(machine, {0, 1, 1, kMxfp4}), InputError);
  EXPECT_THROW(choose_program(machine, {1, 1, -1, kMxfp4}), InputError);
  GemmSpec residual{1, 1, 1, kMxfp4};
  residual.residual = ResidualPattern::kDense;
  EXPECT_THROW(choose_program(machine, residual), InputError);
  Machine shallow = machine;
  shallow.core.depth = 32;
  EXPECT_THROW(choose_program(shallow, {1, 1, 1, kHif4}), InputError);
}

TEST(ChooseProgram, ExtentsFarBeyondTheBuffers) {
  Machine machine = round_machine();
  machine.l1_bytes = 1 << 19;
  machine.l0a_bytes = 1 << 16;
  machine.l0b_bytes = 1 << 16;
  machine.l0c_bytes = 1 << 18;
  const int64_t extent = int64_t{1} << 22;
  const Program program = choose_program(machine, {extent, extent, 64, kMxfp4});
  EXPECT_EQ(program.steps(), int64_t{1} << 36);
}

TEST(CandidateTilings, PowersOfTwoAndTheExtents) {
  Machine machine = round_machine();
  machine.l1_bytes = 1;  // of no account
  TilingChoice choice;
  choice.loop_order = LoopOrder::kRowsOuter;
  choice.residency = Residency::kStreamed;
  // 5 x 4 tiles, 3 steps.
  const std::vector<Tiling> tilings = candidate_tilings(machine, {80, 64, 192, kMxfp4}, choice);
  EXPECT_EQ(tilings.size(), 4U * 3 * 3);  // {1, 2, 4, 5} x {1, 2, 4} x {1, 2, 3}
  EXPECT_EQ(tilings.front(), (Tiling{1, 1, 1}));
  EXPECT_EQ(tilings.back(), (Tiling{5, 4, 3}));
  EXPECT_EQ(candidate_tilings(machine, {80, 64, 192, kMxfp4}).size(), 4U * 36);
}

TEST(CandidateTilings, DoNotCutGranulesOrMasks) {
  GemmSpec spec{80,
                16,
                320,
                kMxfp4,
                OperandPath::kOnlineBf16,
                OperandPath::kPacked,
                ResidualPattern::kBlock32x64At50};
  TilingChoice choice;
  choice.loop_order = LoopOrder::kRowsOuter;
  choice.residency = Residency::kStreamed;
  const std::vector<Tiling> tilings = candidate_tilings(round_machine(), spec, choice);
  EXPECT_EQ(tilings.size(), 3U * 1 * 3);  // {2, 4, 5} x {1} x {2, 4, 5}
  for (const Tiling& tiling : tilings) {
    EXPECT_TRUE(fits(round_machine(), spec, tiling)) << tiling.row_tiles << " " << tiling.k_steps;
  }
}

}  // namespace
}  // namespace nibblecore
