// SPDX-License-Identifier: Apache-2.0
#include "hw/units/accumulator.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
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

using Changes = std::vector<std::pair<int64_t, int64_t>>;

/// Blocks of a step, all of whose sums are `sum`, under a scale of 1.
struct Step {
  StepTag tag;
  int32_t sum;
};

Step step_of(int32_t tile, int32_t blocks, int32_t sum) {
  Step step{};
  step.tag.tile = tile;
  step.tag.dense_blocks = blocks;
  step.sum = sum;
  return step;
}

Step first(Step step) {
  step.tag.first_of_tile = true;
  return step;
}

Step last(Step step) {
  step.tag.last_of_region = true;
  return step;
}

struct Bench {
  explicit Bench(const Program& program)
      : core(program.machine().core),
        sums("sums", BlockSums(core)),
        products("products", ScaleProducts(core)),
        region(core),
        accumulator("accumulator", program.machine(), SimdTarget::kBaseline, region, filled) {
    for (ClockedUnit* unit :
         std::initializer_list<ClockedUnit*>{&feed_sums, &feed_products, &accumulator, &watch}) {
      clocking.bind(*unit);
    }
    feed_sums.out(sums);
    feed_products.out(products);
    accumulator.sums(sums);
    accumulator.products(products);
    region.start(program.body({}).tiles(), program.spec());
    job.program = &program;
    accumulator.start(job);
  }

  /// The accumulators can take the step in cycle `cycle` at the earliest.
  void feed(int64_t cycle, const Step& step) {
    BlockSums block_sums(core);
    block_sums.tag = step.tag;
    std::fill(block_sums.sums.begin(), block_sums.sums.end(), step.sum);
    ScaleProducts scales(core);
    scales.tag = step.tag;
    std::fill(scales.significands.begin(), scales.significands.end(), 1);
    feed_sums.entries.emplace_back(cycle - 1, block_sums);
    feed_products.entries.emplace_back(cycle - 1, scales);
  }

  float value(size_t half, int64_t tile) { return bits_float(region.tile(half, tile)[0]); }

  CoreDescription core;
  GemmJob job;
  Clocking clocking;
  ReadyValid<BlockSums> sums;
  ReadyValid<ScaleProducts> products;
  Feeder<BlockSums> feed_sums{"feed_sums"};
  Feeder<ScaleProducts> feed_products{"feed_products"};
  RegionMemory region;
  Flag filled{"filled"};
  FlagWatch watch{"watch", filled};
  Accumulator accumulator;
};

Machine machine_of(int64_t accumulate_latency) {
  Machine machine = round_machine();
  machine.core = {2, 2, 64};
  machine.accumulate_latency = accumulate_latency;
  return machine;
}

class AccumulatorTest : public test::SimulationTest {};

TEST_F(AccumulatorTest, ARegionIsFilledAdditionsTimesLatencyAfterItsLastStep) {
  struct Case {
    BlockFormat format;
    int64_t latency;
    int64_t cycles;
  };
  for (const Case& c : {Case{kHif4, 1, 1}, Case{kHif4, 4, 4}, Case{kMxfp4, 3, 6},
                        Case{kNvfp4, 1, 4}, Case{kNvfp4, 5, 20}}) {
    sc_core::sc_curr_simcontext = nullptr;
    const Program program(machine_of(c.latency), {2, 2, 64, c.format}, {1, 1, 1});
    Bench bench(program);
    // One block of the step lies inside K; masked ones pass through the adders too.
    bench.feed(3, first(last(step_of(0, 1, 7))));
    bench.clocking.run(40);
    EXPECT_EQ(bench.watch.changes, (Changes{{3 + c.cycles, 1}}));
    EXPECT_EQ(bench.value(0, 0), 7.0F);
  }
}

TEST_F(AccumulatorTest, AStepOnATileThatIsNotSettledWaitsOthersDoNot) {
  const Program program(machine_of(3), {4, 2, 64, kMxfp4}, {2, 1, 1});
  Bench bench(program);
  bench.feed(2, first(step_of(0, 2, 1)));
  bench.feed(3, first(step_of(1, 2, 10)));
  bench.feed(4, last(step_of(0, 2, 100)));
  bench.clocking.run(8);
  EXPECT_EQ(bench.value(0, 1), 20.0F);
  EXPECT_EQ(bench.value(0, 0), 2.0F) << "settled in cycle 8 only";
  bench.clocking.run(1);
  EXPECT_EQ(bench.value(0, 0), 202.0F);
  bench.clocking.run(10);
  EXPECT_EQ(bench.watch.changes, (Changes{{8 + 6, 1}}));
}

TEST_F(AccumulatorTest, RegionsGoToTheHalvesInTurn) {
  const Program program(machine_of(1), {2, 6, 64, kHif4}, {1, 1, 1});
  Bench bench(program);
  bench.feed(2, first(last(step_of(0, 1, 1))));
  bench.feed(3, first(last(step_of(0, 1, 2))));
  bench.clocking.run(5);
  EXPECT_EQ(bench.value(0, 0), 1.0F);
  EXPECT_EQ(bench.value(1, 0), 2.0F);
  bench.feed(8, first(last(step_of(0, 1, 3))));
  bench.clocking.run(6);
  EXPECT_EQ(bench.value(0, 0), 3.0F) << "from +0 again";
  EXPECT_EQ(bench.watch.changes, (Changes{{3, 1}, {4, 2}, {9, 3}}));
}

TEST_F(AccumulatorTest, ATileStartsFromZeroOrFromWhatWasLoaded) {
  GemmSpec spec{2, 2, 128, kHif4};
  for (const Start start : {Start::kZero, Start::kFromMemory}) {
    sc_core::sc_curr_simcontext = nullptr;
    spec.start = start;
    const Program program(machine_of(1), spec, {1, 1, 2});
    Bench bench(program);
    std::fill_n(bench.region.tile(0, 0), bench.region.tile_values(), float_bits(0.5F));
    bench.feed(2, first(step_of(0, 1, 4)));
    bench.feed(3, last(step_of(0, 1, 8)));
    bench.clocking.run(6);
    EXPECT_EQ(bench.value(0, 0), start == Start::kZero ? 12.0F : 12.5F);
  }
}

TEST_F(AccumulatorTest, AResidualOfItsOwnAccumulatorLeavesTheOtherAlone) {
  GemmSpec spec{2, 2, 64, kMxfp4, OperandPath::kOnlineBf16};
  spec.residual = ResidualPattern::kTwoOfFour;
  spec.residual_build = ResidualBuild::kParallel;
  spec.start = Start::kFromMemory;
  spec.residual_accumulator = ResidualAccumulator::kOwn;
  const Program program(machine_of(3), spec, {1, 1, 1});
  Bench bench(program);
  std::fill_n(bench.region.tile(0, 0), bench.region.tile_values(), float_bits(0.5F));
  uint32_t* residuals = bench.region.tile(0, 0, AccumulatorPlane::kResidual);
  std::fill_n(residuals, bench.region.tile_values(), float_bits(9.0F));
  Step step = first(last(step_of(0, 2, 5)));
  step.tag.kind = StepKind::kDenseAndSparse;
  step.tag.residual_blocks = 1;
  bench.feed(2, step);
  bench.clocking.run(30);
  EXPECT_EQ(bench.value(0, 0), 10.5F);
  EXPECT_EQ(bits_float(residuals[0]), 5.0F) << "from +0 on";
  EXPECT_EQ(bench.watch.changes, (Changes{{2 + 4 * 3, 1}})) << "one adder adds for both";
}

TEST_F(AccumulatorTest, MaskedBlocksAddNothing) {
  const Program program(machine_of(1), {2, 2, 64, kNvfp4}, {1, 1, 1});
  for (const int32_t blocks : {1, 2, 3, 4}) {
    sc_core::sc_curr_simcontext = nullptr;
    Bench bench(program);
    bench.feed(2, first(last(step_of(0, blocks, 5))));
    bench.clocking.run(4);
    EXPECT_EQ(bench.value(0, 0), 5.0F * static_cast<float>(blocks));
  }
}

TEST_F(AccumulatorTest, SumsAndScalesOfTwoStepsAreAnError) {
  const Program program(machine_of(1), {4, 2, 64, kHif4}, {2, 1, 1});
  Bench bench(program);
  bench.feed(2, first(step_of(0, 1, 1)));
  bench.feed_products.entries.front().second.tag.tile = 1;
  // The kernel wraps what a process throws.
  try {
    bench.clocking.run(5);
    FAIL();
  } catch (const sc_core::sc_report& report) {
    EXPECT_NE(std::string(report.what()).find("two different steps"), std::string::npos);
  }
}

TEST_F(AccumulatorTest, AResetDropsStepsAndResultsUnderWay) {
  const Program program(machine_of(9), {2, 2, 64, kMxfp4}, {1, 1, 1});
  Bench bench(program);
  bench.feed(2, first(last(step_of(0, 2, 1))));
  bench.clocking.run(5);
  bench.clocking.reset(1);
  bench.clocking.run(40);
  EXPECT_TRUE(bench.watch.changes.empty());
}

}  // namespace
}  // namespace nibblecore::hw
