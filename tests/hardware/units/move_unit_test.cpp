// SPDX-License-Identifier: Apache-2.0
#include "hw/units/move_unit.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "hw/datapath/quantizer_job.hpp"
#include "hw/units/quantizer_unit.hpp"
#include "model/quantize/quantize.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/channel_ends.hpp"
#include "tests/hardware/support/clocking.hpp"
#include "tests/hardware/support/flag_watch.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore::hw {
namespace {

using test::Clocking;
using test::FlagPoster;
using test::FlagWatch;
using test::Recorder;

using Changes = std::vector<std::pair<int64_t, int64_t>>;
using Cycles = std::vector<int64_t>;

constexpr size_t kMostBlocks = 16;

/// The move between two buffers whose flags the test sets, with the channels of a quantizer.
struct Bench {
  explicit Bench(const Program& program, OperandSide side = OperandSide::kA)
      : move("move", side, program.machine(), MovePath{l1, l1_flags, panels, l0_flags}) {
    for (ClockedUnit* unit : std::initializer_list<ClockedUnit*>{
             &move, &fill_l1, &free_l0, &watch_l1_free, &watch_l0_filled}) {
      clocking.bind(*unit);
    }
    move.unquantized(unquantized);
    move.quantized(quantized);
    l1.start(std::max(program.a_half_bytes(), program.b_half_bytes()));
    l1_flags.clear();
    l0_flags.clear();
    job.program = &program;
    move.start(job, nullptr);
  }

  int64_t stalled(StallCause cause) const {
    return move.cycles().stalls.at(static_cast<size_t>(cause));
  }

  GemmJob job;
  Clocking clocking;
  L1Region l1;
  BufferFlags l1_flags{"l1"};
  std::array<OperandPanel, 2> panels;
  BufferFlags l0_flags{"l0"};
  ReadyValid<UnquantizedBeat> unquantized{"unquantized", UnquantizedBeat(kMostBlocks)};
  ReadyValid<QuantizedBeat> quantized{"quantized", QuantizedBeat(kMostBlocks)};
  FlagPoster fill_l1{"fill_l1", l1_flags.filled};
  FlagPoster free_l0{"free_l0", l0_flags.free};
  FlagWatch watch_l1_free{"watch_l1_free", l1_flags.free};
  FlagWatch watch_l0_filled{"watch_l0_filled", l0_flags.filled};
  MoveUnit move;
};

/// The end of the way that takes beats, in place of a quantizer that never answers.
struct BeatBench : Bench {
  explicit BeatBench(const Program& program) : Bench(program) {
    clocking.bind(beats);
    beats.in(unquantized);
  }
  /// Cycles in which beats were pushed: a cycle before the channel shows them.
  Cycles pushed() const {
    Cycles cycles = beats.cycles;
    for (int64_t& cycle : cycles) {
      --cycle;
    }
    return cycles;
  }
  Recorder<UnquantizedBeat> beats{"beats"};
};

Machine slow_machine() {
  Machine machine = round_machine();
  machine.l1_to_l0a = {100, 1};
  machine.l1_to_l0b = {200, 1};
  machine.l1_latency = 4;
  return machine;
}

class MoveUnitTest : public test::SimulationTest {};

TEST_F(MoveUnitTest, APackedPieceTakesItsBytesThenTheLatency) {
  // 16 rows of NVFP4: 576 bytes, 6 cycles at 100 a cycle and 3 at 200.
  const Program program(slow_machine(), {16, 16, 64, kNvfp4}, {1, 1, 1});
  for (const OperandSide side : {OperandSide::kA, OperandSide::kB}) {
    sc_core::sc_curr_simcontext = nullptr;
    const int64_t duration = side == OperandSide::kA ? 6 : 3;
    Bench bench(program, side);
    std::iota(bench.l1.piece(0, 0), bench.l1.piece(0, 0) + 576, uint8_t{0});
    bench.fill_l1.cycles = {4};
    bench.clocking.run(30);
    EXPECT_EQ(
        bench.stalled(side == OperandSide::kA ? StallCause::kOperandA : StallCause::kOperandB), 5);
    EXPECT_EQ(bench.move.cycles().busy, duration);
    EXPECT_EQ(bench.watch_l1_free.changes, (Changes{{0, 2}, {5 + duration, 3}}));
    EXPECT_EQ(bench.watch_l0_filled.changes, (Changes{{5 + duration + 4, 1}}));
    EXPECT_EQ(bench.panels[0].codes[3], 3);
    EXPECT_EQ(bench.panels[0].scales[0], static_cast<uint8_t>(512));
  }
}

TEST_F(MoveUnitTest, MovesWaitForAFreeHalfOfL0AndFillTheHalvesInTurn) {
  const Program program(slow_machine(), {16, 16, 256, kNvfp4}, {1, 1, 1});
  Bench bench(program);
  bench.l1_flags.filled.set(4);
  bench.l1.piece(0, 0)[0] = 10;
  bench.l1.piece(1, 0)[0] = 20;
  bench.free_l0.cycles = {19};
  bench.clocking.run(40);
  // [0, 6), [6, 12), then both halves are in use until 19.
  EXPECT_EQ(bench.watch_l0_filled.changes, (Changes{{10, 1}, {16, 2}, {30, 3}}));
  EXPECT_EQ(bench.stalled(StallCause::kFullBuffer), (20 - 12) + (40 - 26));
  EXPECT_EQ(bench.panels[0].codes[0], 10);
  EXPECT_EQ(bench.panels[1].codes[0], 20);
}

TEST_F(MoveUnitTest, AKeptPanelIsFreedByItsLastUse) {
  const Program program(
      slow_machine(), {16, 32, 128, kNvfp4},
      {1, 1, 1, LoopOrder::kRowsOuter, StepOrder::kTilesInner, Residency::kOuterKept});
  Bench bench(program);
  bench.l1_flags.filled.set(2);  // the panel's two pieces are loaded once, and moved twice
  bench.l0_flags.free.set(4);
  bench.l1.piece(0, 0)[0] = 10;
  bench.l1.piece(0, 576)[0] = 20;
  bench.clocking.run(14);
  EXPECT_EQ(bench.panels[0].codes[0], 10);
  EXPECT_EQ(bench.panels[1].codes[0], 20);
  bench.clocking.run(26);
  EXPECT_EQ(bench.move.cycles().busy, 24);
  EXPECT_EQ(bench.watch_l1_free.changes, (Changes{{0, 2}, {24, 3}}));
}

/// 5 rows of two blocks of 32 BF16 values.
GemmSpec online_spec() {
  GemmSpec spec{5, 16, 64, kMxfp4};
  spec.a = OperandPath::kOnlineBf16;
  return spec;
}

TEST_F(MoveUnitTest, BeatsFollowTheirBytes) {
  Machine machine = slow_machine();
  machine.quantizer_values_per_cycle = 96;  // 3 blocks
  const Program program(machine, online_spec(), {1, 1, 1});
  BeatBench bench(program);
  bench.l1_flags.filled.set(1);
  bench.clocking.run(30);
  // 10 blocks: the first beat takes the one that makes no whole beat. Due when the 64 bytes of each
  // of the 1, 4, 7 and 10 blocks so far have come: 0.64, 2.56, 4.48, 6.4 cycles.
  EXPECT_EQ(bench.pushed(), (Cycles{0, 2, 4, 6}));
  ASSERT_EQ(bench.beats.entries.size(), 4U);
  EXPECT_EQ(bench.beats.entries[0].count, 1U);
  EXPECT_EQ(bench.beats.entries[3].count, 3U);
  EXPECT_EQ(bench.beats.entries[1].blocks[0].tag, (BlockTag{0, 1}));
  EXPECT_EQ(bench.beats.entries[3].blocks[2].tag, (BlockTag{4, 1}));
  EXPECT_EQ(bench.move.quantized_blocks(), 10);
  EXPECT_EQ(bench.watch_l1_free.changes, (Changes{{0, 2}, {7, 3}}));
}

TEST_F(MoveUnitTest, BeatsFollowTheQuantizersWidth) {
  Machine machine = slow_machine();
  machine.quantizer_values_per_cycle = 7;  // a block of 32 values takes 5 cycles
  const Program program(machine, online_spec(), {1, 1, 1});
  BeatBench bench(program);
  bench.l1_flags.filled.set(1);
  bench.clocking.run(60);
  EXPECT_EQ(bench.pushed(), (Cycles{4, 9, 14, 19, 24, 29, 34, 39, 44, 49}));
}

TEST_F(MoveUnitTest, TheMaskComesBeforeTheValues) {
  Machine machine = slow_machine();
  machine.l1_to_l0a = {3, 1};
  machine.quantizer_values_per_cycle = 32;
  GemmSpec spec = online_spec();
  spec.residual = ResidualPattern::kChannel50;
  const Program program(machine, spec, {1, 1, 1});
  ASSERT_EQ(program.body({}).mask_bytes, 8);
  BeatBench bench(program);
  bench.l1_flags.filled.set(1);
  const int64_t values = int64_t{5} * 64 * 2;
  std::fill_n(bench.l1.piece(0, values), 8, uint8_t{0xA5});
  bench.clocking.run(60);
  // The mask takes 3 cycles, a block of 64 bytes 21.3.
  EXPECT_EQ(bench.pushed(), (Cycles{3 + 22 - 1, 3 + 43 - 1}));
  EXPECT_EQ(bench.beats.entries.at(0).blocks[0].keep, 0xA5A5A5A5U);
}

TEST_F(MoveUnitTest, AFullChannelHoldsTheBeatsBack) {
  Machine machine = slow_machine();
  machine.quantizer_values_per_cycle = 96;
  const Program program(machine, online_spec(), {1, 1, 1});
  BeatBench bench(program);
  bench.l1_flags.filled.set(1);
  bench.beats.from = 10;
  bench.clocking.run(30);
  EXPECT_EQ(bench.beats.cycles, (Cycles{10, 11, 12, 13}));
  EXPECT_EQ(bench.move.cycles().busy, 13) << "the fourth beat is pushed in cycle 12";
}

TEST_F(MoveUnitTest, WhatTheQuantizerMakesFillsThePanelAsTheGoldenQuantizerHasIt) {
  std::mt19937 random(7);
  for (const BlockFormat& format : {kMxfp4, kHif4}) {
    for (const int64_t width : {256, 32, 9}) {
      sc_core::sc_curr_simcontext = nullptr;
      Machine machine = slow_machine();
      machine.quantizer_values_per_cycle = width;
      machine.quantizer_latency = 9;
      GemmSpec spec{7, 16, 150, format};
      spec.a = OperandPath::kOnlineFp32;
      const Program program(machine, spec, {1, 1, 3});
      Bench bench(program);
      QuantizerUnit quantizer("quantizer");
      bench.clocking.bind(quantizer);
      quantizer.unquantized(bench.unquantized);
      quantizer.quantized(bench.quantized);
      quantizer.start(quantizer_job(preset(format, ""), ResidualPattern::kNone, {}),
                      {program.cycles_a_beat(), machine.quantizer_latency});
      std::vector<float> values(size_t{7} * 150);
      std::generate(values.begin(), values.end(),
                    [&] { return static_cast<float>(random() % 2000) / 128.0F - 8.0F; });
      std::copy_n(reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float),
                  bench.l1.piece(0, 0));
      bench.l1_flags.filled.set(1);
      bench.clocking.run(400);
      const ChunkBody body = program.body({});
      const int64_t duration = std::max(machine.l1_to_l0a.duration(body.move_a_bytes),
                                        body.quantize_a_beats * program.cycles_a_beat());
      EXPECT_EQ(bench.move.cycles().busy, duration);
      // The channel into the quantizer takes a cycle, and so does the one out of it.
      EXPECT_EQ(bench.watch_l0_filled.changes, (Changes{{duration + 1 + 9 + 4, 1}}));
      const MatrixView view{values.data(), ValueType::kF32, 7, 150, 150, 1};
      const PackedMatrix golden = quantize(view, preset(format, ""), 1);
      EXPECT_EQ(bench.panels[0].codes, golden.codes);
      EXPECT_EQ(bench.panels[0].scales, golden.scales);
    }
  }
}

TEST_F(MoveUnitTest, AResetEndsTheMoveAndFillsNothing) {
  const Program program(slow_machine(), {16, 16, 64, kNvfp4}, {1, 1, 1});
  Bench bench(program);
  bench.l1_flags.filled.set(1);
  bench.clocking.run(8);  // moved, its latency not over
  bench.clocking.reset(1);
  bench.clocking.run(20);
  EXPECT_TRUE(bench.watch_l0_filled.changes.empty());
}

}  // namespace
}  // namespace nibblecore::hw
