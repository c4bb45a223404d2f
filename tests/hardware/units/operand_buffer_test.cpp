// SPDX-License-Identifier: Apache-2.0
#include "hw/units/operand_buffer.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/channel_ends.hpp"
#include "tests/hardware/support/clocking.hpp"
#include "tests/hardware/support/flag_watch.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore::hw {
namespace {

using test::Clocking;
using test::Feeder;
using test::FlagWatch;
using test::Recorder;

using Bytes = std::vector<uint8_t>;
using Changes = std::vector<std::pair<int64_t, int64_t>>;

constexpr int kLanesHere = 2;
constexpr int kDepth = 64;

/// Two panels of random bytes: 3 rows, 4 blocks.
std::array<OperandPanel, 2> random_panels(const BlockFormat& format, ResidualPattern residual) {
  std::mt19937 random(5);
  std::array<OperandPanel, 2> panels;
  for (OperandPanel& panel : panels) {
    panel.shape(format, residual, 3, 4);
    for (Bytes* bytes : {&panel.codes, &panel.scales, &panel.residual_codes, &panel.residual_scales,
                         &panel.indices}) {
      std::generate(bytes->begin(), bytes->end(), [&] { return static_cast<uint8_t>(random()); });
    }
  }
  return panels;
}

template <class Slice>
struct Bench {
  Bench(OperandSide side, const BlockFormat& format, ResidualPattern residual)
      : program(round_machine(), {16, 16, 64, format}, {1, 1, 1}),
        panels(random_panels(format, residual)),
        buffer("buffer", side, kLanesHere, kDepth, panels, free) {
    for (ClockedUnit* unit :
         std::initializer_list<ClockedUnit*>{&feeder, &buffer, &codes, &scales, &watch}) {
      clocking.bind(*unit);
    }
    feeder.out(steps);
    buffer.steps(steps);
    buffer.codes(code_channel);
    buffer.scales(scale_channel);
    codes.in(code_channel);
    scales.in(scale_channel);
    GemmJob job;
    job.program = &program;
    buffer.start(job);
  }

  Program program;
  std::array<OperandPanel, 2> panels;
  Clocking clocking;
  ReadyValid<StepTag> steps{"steps", StepTag{}};
  ReadyValid<Slice> code_channel{"code_channel", Slice(kLanesHere, kDepth)};
  ReadyValid<ScaleSlice> scale_channel{"scale_channel", ScaleSlice(kLanesHere, kDepth)};
  Feeder<StepTag> feeder{"feeder"};
  Recorder<Slice> codes{"codes"};
  Recorder<ScaleSlice> scales{"scales"};
  Flag free{"free"};
  FlagWatch watch{"watch", free};
  OperandBuffer<Slice> buffer;
};

StepTag step(int32_t tile, int64_t first_block, int32_t dense, int32_t residual) {
  StepTag tag;
  tag.tile_row = tag.tile_column = tile;
  tag.first_block = first_block;
  tag.dense_blocks = dense;
  tag.residual_blocks = residual;
  return tag;
}

Bytes part(const Bytes& from, int64_t first, int64_t count) {
  return {from.begin() + first, from.begin() + first + count};
}

class OperandBufferTest : public test::SimulationTest {};

TEST_F(OperandBufferTest, AStepIsAnsweredACycleLaterAndTheLastOfAChunkFreesTheHalf) {
  Bench<ASlice> bench(OperandSide::kA, kMxfp4, ResidualPattern::kNone);
  StepTag last = step(0, 2, 2, 0);
  last.last_of_chunk = true;
  // Pushed in cycles 0, 1 and 2, read in 1, 2 and 3.
  bench.feeder.entries = {{0, step(0, 0, 2, 0)}, {0, last}, {0, step(0, 0, 2, 0)}};
  bench.clocking.run(10);
  EXPECT_EQ(bench.codes.cycles, (std::vector<int64_t>{2, 3, 4}));
  EXPECT_EQ(bench.scales.cycles, (std::vector<int64_t>{2, 3, 4}));
  EXPECT_EQ(bench.watch.changes, (Changes{{3, 1}}));
  // 16 bytes of codes a block, 64 a row of a panel; the third step reads the other half.
  const Bytes& codes = bench.panels[0].codes;
  EXPECT_EQ(part(bench.codes.entries[0].dense.codes, 0, 32), part(codes, 0, 32));
  EXPECT_EQ(part(bench.codes.entries[0].dense.codes, 32, 32), part(codes, 64, 32)) << "lane 1";
  EXPECT_EQ(part(bench.codes.entries[1].dense.codes, 0, 32), part(codes, 32, 32));
  EXPECT_EQ(part(bench.codes.entries[2].dense.codes, 0, 32), part(bench.panels[1].codes, 0, 32));
  EXPECT_EQ(part(bench.scales.entries[1].scales, 0, 2), part(bench.panels[0].scales, 2, 2));
  EXPECT_EQ(part(bench.scales.entries[1].scales, most_blocks(kDepth), 2),
            part(bench.panels[0].scales, 6, 2));
}

TEST_F(OperandBufferTest, LanesBeyondThePanelAreZeroWhateverCameBefore) {
  Bench<ASlice> bench(OperandSide::kA, kHif4, ResidualPattern::kNone);
  for (int i = 0; i < 4; ++i) {
    bench.feeder.entries.emplace_back(0, step(i / 2, 1, 1, 0));
  }
  bench.clocking.run(10);
  const CodeLanes& whole = bench.codes.entries.at(1).dense;
  const CodeLanes& cut = bench.codes.entries.at(3).dense;
  EXPECT_EQ(part(whole.codes, 32, 32), part(bench.panels[0].codes, 4 * 32 + 32, 32));
  EXPECT_EQ(part(cut.codes, 0, 32), part(bench.panels[0].codes, 2 * 4 * 32 + 32, 32));
  EXPECT_EQ(part(cut.codes, 32, 32), Bytes(32, 0));
  // The micro-exponents lie in the bytes behind the scale.
  const uint8_t* word = bench.panels[0].scales.data() + size_t{4} * (2 * 4 + 1);
  EXPECT_EQ(cut.level2, (Bytes{word[1], 0}));
  EXPECT_EQ(cut.level3, (std::vector<uint16_t>{static_cast<uint16_t>(word[3] << 8 | word[2]), 0}));
  const Bytes& scales = bench.scales.entries.at(3).scales;
  EXPECT_EQ(scales[0], word[0]);
  EXPECT_EQ(part(scales, most_blocks(kDepth), most_blocks(kDepth)),
            Bytes(static_cast<size_t>(most_blocks(kDepth)), 0));
}

TEST_F(OperandBufferTest, AResidualStepReadsTheResidualAsTheArrayTakesIt) {
  Bench<ASlice> dense(OperandSide::kA, kMxfp4, ResidualPattern::kDense);
  StepTag tag = step(0, 1, 0, 2);
  tag.kind = StepKind::kResidual;
  dense.feeder.entries = {{0, tag}};
  dense.clocking.run(5);
  const OperandPanel& panel = dense.panels[0];
  EXPECT_EQ(part(dense.codes.entries.at(0).dense.codes, 32, 32),
            part(panel.residual_codes, 64 + 16, 32));
  EXPECT_EQ(part(dense.scales.entries.at(0).scales, 0, 2), part(panel.residual_scales, 1, 2));
}

TEST_F(OperandBufferTest, ASparseStepReadsKeptCodesAndTheirPositions) {
  Bench<ASlice> bench(OperandSide::kA, kMxfp4, ResidualPattern::kTwoOfFour);
  StepTag both = step(0, 0, 2, 2);
  both.kind = StepKind::kDenseAndSparse;
  StepTag sparse = step(0, 0, 0, 4);
  sparse.kind = StepKind::kSparse;
  bench.feeder.entries = {{0, both}, {0, sparse}};
  bench.clocking.run(6);
  const OperandPanel& panel = bench.panels[0];
  const ASlice& first = bench.codes.entries.at(0);
  EXPECT_EQ(part(first.dense.codes, 32, 32), part(panel.codes, 64, 32));
  // 8 bytes of kept codes and 4 of positions a block; a lane is 2 x depth long.
  EXPECT_EQ(part(first.sparse.codes, 32, 16), part(panel.residual_codes, 32, 16));
  EXPECT_EQ(part(first.sparse.indices, 16, 8), part(panel.indices, 16, 8));
  EXPECT_EQ(part(bench.scales.entries.at(0).scales, 0, 2), part(panel.scales, 0, 2));
  EXPECT_EQ(part(bench.scales.entries.at(0).scales, 2, 2), part(panel.residual_scales, 0, 2))
      << "behind the dense blocks'";
  const ASlice& second = bench.codes.entries.at(1);
  EXPECT_EQ(second.sparse.codes, part(panel.residual_codes, 0, 64));
  EXPECT_EQ(second.sparse.indices, part(panel.indices, 0, 32));
  EXPECT_EQ(part(bench.scales.entries.at(1).scales, 0, 4), part(panel.residual_scales, 0, 4));
}

TEST_F(OperandBufferTest, SideBFollowsTheResidualsBlocksWhereThereAreNoDenseOnes) {
  Bench<BSlice> bench(OperandSide::kB, kMxfp4, ResidualPattern::kNone);
  StepTag sparse = step(0, 0, 0, 4);
  sparse.kind = StepKind::kSparse;
  bench.feeder.entries = {{0, sparse}, {0, step(1, 1, 2, 2)}};
  bench.clocking.run(6);
  EXPECT_EQ(bench.codes.entries.at(0).dense.codes, part(bench.panels[0].codes, 0, 128));
  EXPECT_EQ(part(bench.scales.entries.at(0).scales, 0, 4), part(bench.panels[0].scales, 0, 4));
  EXPECT_EQ(part(bench.codes.entries.at(1).dense.codes, 0, 32),
            part(bench.panels[0].codes, 2 * 64 + 16, 32));
  EXPECT_EQ(bench.codes.entries.at(1).tag.tile_column, 1);
}

TEST_F(OperandBufferTest, AResetDropsTheStepsThatWait) {
  Bench<ASlice> bench(OperandSide::kA, kMxfp4, ResidualPattern::kNone);
  bench.codes.from = 1000;
  for (int i = 0; i < 4; ++i) {
    bench.feeder.entries.emplace_back(0, step(0, 0, 2, 0));
  }
  bench.clocking.run(8);
  EXPECT_EQ(bench.steps.occupancy(), 2U);
  bench.feeder.entries.clear();
  bench.clocking.reset(1);
  bench.clocking.run(2);
  EXPECT_EQ(bench.steps.occupancy(), 0U);
}

}  // namespace
}  // namespace nibblecore::hw
