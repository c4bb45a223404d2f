// SPDX-License-Identifier: Apache-2.0
#include "hw/units/sequencer.hpp"

#include <gtest/gtest.h>

#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/channel_ends.hpp"
#include "tests/hardware/support/clocking.hpp"
#include "tests/hardware/support/flag_watch.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore::hw {
namespace {

using test::Clocking;
using test::FlagPoster;
using test::Recorder;

using Cycles = std::vector<int64_t>;

struct Bench {
  explicit Bench(const Program& program) : sequencer("sequencer", program.machine(), flags()) {
    clocking.bind(sequencer);
    sequencer.a_steps(a_steps);
    sequencer.b_steps(b_steps);
    clocking.bind(a);
    clocking.bind(b);
    a.in(a_steps);
    b.in(b_steps);
    for (FlagPoster* poster : {&post_a, &post_b, &post_region, &post_start}) {
      clocking.bind(*poster);
    }
    job.program = &program;
  }

  SequencerFlags flags() { return {a_filled, b_filled, region_free, start_filled}; }

  /// Everything there from the beginning.
  void fill_all() {
    for (Flag* flag : {&a_filled, &b_filled, &region_free, &start_filled}) {
      flag->set(1000);
    }
  }

  void run(int64_t cycles) {
    sequencer.start(job, nullptr);
    clocking.run(cycles);
  }

  /// Cycles in which steps were issued: a cycle before the channel shows them.
  Cycles issued() const {
    Cycles cycles = a.cycles;
    for (int64_t& cycle : cycles) {
      --cycle;
    }
    return cycles;
  }

  int64_t stalled(StallCause cause) const {
    return sequencer.cycles().stalls.at(static_cast<size_t>(cause));
  }

  GemmJob job;
  Clocking clocking;
  Flag a_filled{"a_filled"};
  Flag b_filled{"b_filled"};
  Flag region_free{"region_free"};
  Flag start_filled{"start_filled"};
  ReadyValid<StepTag> a_steps{"a_steps", StepTag{}};
  ReadyValid<StepTag> b_steps{"b_steps", StepTag{}};
  Recorder<StepTag> a{"a"};
  Recorder<StepTag> b{"b"};
  FlagPoster post_a{"post_a", a_filled};
  FlagPoster post_b{"post_b", b_filled};
  FlagPoster post_region{"post_region", region_free};
  FlagPoster post_start{"post_start", start_filled};
  Sequencer sequencer;
};

Machine machine_of(int64_t accumulate_latency) {
  Machine machine = round_machine();
  machine.accumulate_latency = accumulate_latency;
  return machine;
}

class SequencerTest : public test::SimulationTest {};

TEST_F(SequencerTest, ALoneTileWaitsForItsAdditions) {
  // MXFP4 at depth 64: 2 additions of 3 cycles a step.
  for (const StepOrder order : {StepOrder::kTilesInner, StepOrder::kStepsInner}) {
    sc_core::sc_curr_simcontext = nullptr;
    const Program program(machine_of(3), {16, 16, 192, kMxfp4},
                          {1, 1, 3, LoopOrder::kRowsOuter, order});
    Bench bench(program);
    bench.fill_all();
    bench.run(30);
    EXPECT_EQ(bench.issued(), (Cycles{0, 6, 12}));
    EXPECT_EQ(bench.stalled(StallCause::kAccumulate), 10);
    EXPECT_EQ(bench.sequencer.cycles().busy, 3);
    EXPECT_EQ(bench.sequencer.cycles().idle, 30 - 13);
  }
}

TEST_F(SequencerTest, TilesInnerHideTheLatencyBehindOtherTiles) {
  const Program program(machine_of(2), {32, 32, 192, kMxfp4}, {2, 2, 3});
  Bench bench(program);
  bench.fill_all();
  bench.run(30);
  // 4 tiles and 2 x 2 cycles: every cycle a step.
  EXPECT_EQ(bench.issued(), (Cycles{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST_F(SequencerTest, TilesInnerWaitForTheRestOfTheLatency) {
  const Program program(machine_of(3), {16, 64, 192, kMxfp4}, {1, 4, 3});
  Bench bench(program);
  bench.fill_all();
  bench.run(30);
  EXPECT_EQ(bench.issued(), (Cycles{0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15}));
}

TEST_F(SequencerTest, StepsInnerWaitWithinATileNotBetweenTiles) {
  const Program program(machine_of(2), {16, 32, 192, kMxfp4},
                        {1, 2, 3, LoopOrder::kRowsOuter, StepOrder::kStepsInner});
  Bench bench(program);
  bench.fill_all();
  bench.run(30);
  EXPECT_EQ(bench.issued(), (Cycles{0, 4, 8, 9, 13, 17}));
}

TEST_F(SequencerTest, ASparseStepHasTwiceTheAdditions) {
  GemmSpec spec{16, 16, 128, kMxfp4};
  spec.a = OperandPath::kOnlineBf16;
  spec.residual = ResidualPattern::kTwoOfFour;
  const Program serial(machine_of(2), spec, {1, 1, 2});
  {
    Bench bench(serial);
    bench.fill_all();
    bench.run(30);
    EXPECT_EQ(bench.issued(), (Cycles{0, 4, 8}));
    EXPECT_EQ(bench.a.entries[2].kind, StepKind::kSparse);
    EXPECT_EQ(bench.a.entries[2].residual_blocks, 4);
    EXPECT_EQ(bench.a.entries[2].dense_blocks, 0);
  }
  sc_core::sc_curr_simcontext = nullptr;
  spec.residual_build = ResidualBuild::kParallel;
  const Program parallel(machine_of(2), spec, {1, 1, 2});
  Bench bench(parallel);
  bench.fill_all();
  bench.run(30);
  EXPECT_EQ(bench.issued(), (Cycles{0, 8}));
  EXPECT_EQ(bench.a.entries[1].kind, StepKind::kDenseAndSparse);
  EXPECT_EQ(bench.sequencer.steps()[static_cast<size_t>(StepKind::kDenseAndSparse)], 2);
}

TEST_F(SequencerTest, TheNextChunkOfARegionWaitsForItsAccumulatorsTheNextRegionDoesNot) {
  // Two regions of one tile, two chunks of one step each.
  const Program program(machine_of(3), {16, 32, 128, kMxfp4}, {1, 1, 1});
  Bench bench(program);
  bench.fill_all();
  bench.run(30);
  EXPECT_EQ(bench.issued(), (Cycles{0, 6, 7, 13}));
}

TEST_F(SequencerTest, EachFlagIsWaitedForAndTheFirstStepFollowsTheLast) {
  GemmSpec spec{16, 16, 64, kMxfp4};
  spec.start = Start::kFromMemory;
  const Program program(machine_of(2), spec, {1, 1, 1});
  Bench bench(program);
  bench.post_a.cycles = {3};
  bench.post_b.cycles = {7};
  bench.post_start.cycles = {9};
  bench.run(20);
  EXPECT_EQ(bench.issued(), (Cycles{10}));
  EXPECT_EQ(bench.stalled(StallCause::kOperandA), 4);
  EXPECT_EQ(bench.stalled(StallCause::kOperandB), 4);
  EXPECT_EQ(bench.stalled(StallCause::kStartValues), 2);
  EXPECT_EQ(bench.stalled(StallCause::kFullBuffer), 0) << "the port took the region";
}

TEST_F(SequencerTest, WithoutStartValuesItTakesAHalfOfTheRegionsItself) {
  const Program program(machine_of(1), {16, 48, 64, kNvfp4}, {1, 1, 1});
  Bench bench(program);
  bench.a_filled.set(3);
  bench.b_filled.set(3);
  bench.region_free.set(2);
  bench.post_region.cycles = {11};
  bench.run(20);
  EXPECT_EQ(bench.issued(), (Cycles{0, 1, 12}));
  EXPECT_EQ(bench.stalled(StallCause::kFullBuffer), 10);
  EXPECT_EQ(bench.region_free.count(), 0);
}

TEST_F(SequencerTest, TagsNameTheStepAndBothBuffersGetTheSame) {
  // 2 x 2 tiles, K of 2 steps whose second holds one block of two, in one region and chunk.
  const Program program(machine_of(1), {20, 20, 80, kMxfp4}, {2, 2, 2});
  Bench bench(program);
  bench.fill_all();
  bench.run(20);
  ASSERT_EQ(bench.a.entries.size(), 8U);
  for (size_t i = 0; i < 8; ++i) {
    const StepTag& tag = bench.a.entries[i];
    EXPECT_EQ(tag, bench.b.entries.at(i));
    EXPECT_EQ(tag.tile, static_cast<int32_t>(i % 4));
    EXPECT_EQ(tag.tile_row, static_cast<int32_t>(i % 4 / 2));
    EXPECT_EQ(tag.tile_column, static_cast<int32_t>(i % 2));
    EXPECT_EQ(tag.first_block, i < 4 ? 0 : 2);
    EXPECT_EQ(tag.dense_blocks, i < 4 ? 2 : 1);
    EXPECT_EQ(tag.first_of_tile, i < 4);
    EXPECT_EQ(tag.last_of_tile, i >= 4);
    EXPECT_EQ(tag.last_of_chunk, i == 7);
    EXPECT_EQ(tag.last_of_region, i == 7);
  }
}

TEST_F(SequencerTest, AFullChannelIsAStallOfThePipeline) {
  const Program program(machine_of(1), {16, 16, 512, kHif4}, {1, 1, 8});
  Bench bench(program);
  bench.fill_all();
  bench.b.from = 10;
  bench.run(30);
  // Two entries fit; in cycle 11 the channel shows the room that cycle 10 made.
  EXPECT_EQ(bench.issued().size(), 8U);
  EXPECT_EQ(bench.issued().at(1), 1);
  EXPECT_EQ(bench.issued().at(2), 11);
  EXPECT_EQ(bench.stalled(StallCause::kPipeline), 9);
}

TEST_F(SequencerTest, AResetEndsTheProgram) {
  const Program program(machine_of(1), {16, 16, 640, kHif4}, {1, 1, 10});
  Bench bench(program);
  bench.fill_all();
  bench.run(3);
  bench.clocking.reset(1);
  bench.clocking.run(20);
  EXPECT_LE(bench.a.entries.size(), 3U);
  const size_t before = bench.a.entries.size();
  bench.run(20);
  EXPECT_EQ(bench.a.entries.size(), before + 10);
  EXPECT_TRUE(bench.a.entries[before].first_of_tile);
}

}  // namespace
}  // namespace nibblecore::hw
