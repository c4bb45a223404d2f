// SPDX-License-Identifier: Apache-2.0
#include "hw/units/quantizer_unit.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/support/random_blocks.hpp"

namespace nibblecore::hw {
namespace {

QuantizerJob mxfp4_job() {
  return {Mxfp4Rule{ScaleRule::kRceil, Rounding::kNearestEven, 0}, ResidualPattern::kTwoOfFour};
}

QuantizerJob hif4_job() {
  return {std::get<Hif4Rule>(preset(kHif4, "amct").rule), ResidualPattern::kDense};
}

/// The factors of a tensor whose largest magnitude is 2.688.
QuantizerJob nvfp4_job(ResidualPattern pattern = ResidualPattern::kTwoOfFour) {
  return {Nvfp4Factors{float_bits(1000.0F), float_bits(0.001F)}, pattern};
}

std::vector<UnquantizedBlock> random_blocks(int count, ResidualPattern pattern) {
  std::mt19937 random(16);
  std::vector<UnquantizedBlock> blocks;
  for (int i = 0; i < count; ++i) {
    UnquantizedBlock block;
    block.tag = {i / 7, i % 7};
    block.values = test::random_block<64>(test::BlockFamily::kOrdinary, random);
    if (pattern == ResidualPattern::kChannel50) {
      block.keep = uint64_t{random()} << 32 | random();
    }
    blocks.push_back(block);
  }
  return blocks;
}

/// How fast a quantizer of a machine is.
struct Speed {
  int values_per_cycle;
  int latency;

  QuantizerTiming timing(const QuantizerJob& job) const {
    return {values_per_cycle == 0 ? 0 : (job.block() + values_per_cycle - 1) / values_per_cycle,
            latency};
  }
};

constexpr size_t kMostBlocks = 4;  // of a beat

/// Offers its blocks from the first cycle on, a beat of them in every `period` cycles at most.
class Source final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidOut<UnquantizedBeat>> out{"out"};

  Source(const sc_core::sc_module_name& name, std::vector<UnquantizedBlock> blocks, int period,
         size_t beat)
      : ClockedUnit(name), blocks_(std::move(blocks)), period_(period), beat_(beat) {}

 private:
  void tick() override {
    const bool ready = out->can_push();
    if (cycle_ % period_ == 0 && ready && sent_ < blocks_.size()) {
      UnquantizedBeat& beat = out->back();
      beat.count = std::min(beat_, blocks_.size() - sent_);
      std::copy_n(blocks_.begin() + static_cast<ptrdiff_t>(sent_), beat.count, beat.blocks.begin());
      out->push();
      sent_ += beat.count;
    }
    ++cycle_;
  }
  void reset() override {
    sent_ = 0;
    cycle_ = 0;
  }

  std::vector<UnquantizedBlock> blocks_;
  int period_;
  size_t beat_;
  size_t sent_ = 0;
  int cycle_ = 0;
};

/// Takes a beat wherever one waits, but for the cycles in which it is busy.
class Sink final : public ClockedUnit {
 public:
  sc_core::sc_port<ReadyValidIn<QuantizedBeat>> in{"in"};
  std::vector<QuantizedBlock> received;
  std::vector<int> seen;  ///< first cycle in which each beat was visible

  Sink(const sc_core::sc_module_name& name, int period) : ClockedUnit(name), period_(period) {}

 private:
  void tick() override {
    if (in->can_pop()) {
      if (seen.size() == beats_) {
        seen.push_back(cycle_);
      }
      if (cycle_ % period_ == 0) {
        const QuantizedBeat& beat = in->front();
        received.insert(received.end(), beat.blocks.begin(),
                        beat.blocks.begin() + static_cast<ptrdiff_t>(beat.count));
        ++beats_;
        in->pop();
      }
    }
    ++cycle_;
  }
  void reset() override {
    in->clear();
    cycle_ = 0;
    received.clear();
    seen.clear();
    beats_ = 0;
  }

  int period_;
  size_t beats_ = 0;
  int cycle_ = 0;
};

struct Bench {
  Bench(const Speed& quantizer_speed, const QuantizerJob& quantizer_job, int blocks,
        int source_period = 1, int sink_period = 1, size_t beat = 1)
      : speed(quantizer_speed),
        job(quantizer_job),
        sent(random_blocks(blocks, quantizer_job.residual)),
        source("source", sent, source_period, beat),
        unit("unit"),
        sink("sink", sink_period) {
    for (ClockedUnit* part : std::initializer_list<ClockedUnit*>{&source, &unit, &sink}) {
      part->clock(clock);
      part->reset_n(reset_n);
    }
    source.out(input);
    unit.unquantized(input);
    unit.quantized(output);
    sink.in(output);
    reset_n.write(true);
    unit.start(job, speed.timing(job));
  }

  void run(int cycles) { sc_core::sc_start(cycles, sc_core::SC_NS); }

  /// The first blocks received are the first blocks sent, quantized, in order.
  void expect_in_order(size_t count) const {
    ASSERT_EQ(sink.received.size(), count);
    for (size_t i = 0; i < count; ++i) {
      const QuantizedBlock expected = quantize_block(sent[i], job);
      ASSERT_EQ(sink.received[i].tag, expected.tag) << i;
      ASSERT_EQ(sink.received[i].dense.scale, expected.dense.scale) << i;
      ASSERT_EQ(sink.received[i].dense.codes, expected.dense.codes) << i;
      ASSERT_EQ(sink.received[i].residual.scale, expected.residual.scale) << i;
      ASSERT_EQ(sink.received[i].residual.codes, expected.residual.codes) << i;
      ASSERT_EQ(sink.received[i].indices, expected.indices) << i;
    }
  }

  Speed speed;
  QuantizerJob job;
  std::vector<UnquantizedBlock> sent;
  sc_core::sc_clock clock{"clock", 1, sc_core::SC_NS};
  sc_core::sc_signal<bool> reset_n{"reset_n"};
  ReadyValid<UnquantizedBeat> input{"input", UnquantizedBeat(kMostBlocks)};
  ReadyValid<QuantizedBeat> output{"output", QuantizedBeat(kMostBlocks)};
  Source source;
  QuantizerUnit unit;
  Sink sink;
};

using QuantizerUnitTest = test::SimulationTest;

TEST_F(QuantizerUnitTest, LatencyAndInitiationAreExact) {
  struct Case {
    Speed timing;
    QuantizerJob job;
    int interval;
  };
  const std::vector<Case> cases{
      {{32, 1}, mxfp4_job(), 1}, {{32, 5}, mxfp4_job(), 1}, {{16, 2}, mxfp4_job(), 2},
      {{12, 3}, mxfp4_job(), 3}, {{12, 8}, mxfp4_job(), 3}, {{64, 1}, hif4_job(), 1},
      {{16, 11}, hif4_job(), 4}, {{100, 2}, hif4_job(), 1}, {{1, 70}, hif4_job(), 64},
      {{16, 1}, nvfp4_job(), 1}, {{64, 3}, nvfp4_job(), 1}, {{5, 9}, nvfp4_job(), 4}};
  for (const Case& test_case : cases) {
    SetUp();
    constexpr int kBlocks = 6;
    Bench bench(test_case.timing, test_case.job, kBlocks);
    // The source sends in cycle 0, so the first block is accepted in cycle 1; the sink must not see
    // it at 1 + latency - 1.
    bench.run(2 + test_case.timing.latency - 1);
    EXPECT_EQ(bench.sink.seen.size(), 0U) << "cycle t + latency - 1 is over";
    bench.run(1);
    EXPECT_EQ(bench.sink.seen.size(), 1U) << "cycle t + latency is over";
    bench.run(kBlocks * test_case.interval);
    ASSERT_EQ(bench.sink.seen.size(), kBlocks);
    for (int i = 0; i < kBlocks; ++i) {
      EXPECT_EQ(bench.sink.seen[static_cast<size_t>(i)],
                1 + i * test_case.interval + test_case.timing.latency);
    }
    bench.expect_in_order(kBlocks);
    EXPECT_EQ(bench.unit.stalled_cycles(), 0);
  }
}

TEST_F(QuantizerUnitTest, AnIdleSourceOnlyLeavesGaps) {
  Bench bench({32, 4}, mxfp4_job(), 5, 3);
  bench.run(40);
  EXPECT_EQ(bench.sink.seen, (std::vector<int>{5, 8, 11, 14, 17}));
  bench.expect_in_order(5);
}

TEST_F(QuantizerUnitTest, ASlowConsumerStopsThePipelineWithoutLoss) {
  for (const Speed timing : {Speed{32, 1}, Speed{32, 6}, Speed{16, 9}}) {
    SetUp();
    Bench bench(timing, mxfp4_job(), 40, 1, 5);
    bench.run(5 * 40 + 2 * timing.latency + 20);
    bench.expect_in_order(40);
    // The consumer sets the pace: a block every fifth cycle.
    const auto& seen = bench.sink.seen;
    EXPECT_EQ(seen[39] - seen[19], 100);
    EXPECT_GT(bench.unit.stalled_cycles(), 60);
  }
}

TEST_F(QuantizerUnitTest, AStalledCycleDelaysEveryBlockUnderWayByOne) {
  // Six stages; the consumer takes blocks in cycles 0, 20, 40. Two blocks fill the channel in
  // cycles 6 and 7, the third finds no room from cycle 8 on until the one popped in cycle 20
  // makes it: seen from cycle 21 on.
  Bench bench({32, 6}, mxfp4_job(), 10, 1, 20);
  bench.run(21);
  EXPECT_EQ(bench.unit.stalled_cycles(), 13);
  EXPECT_EQ(bench.sink.received.size(), 1U);
  bench.run(1);
  EXPECT_EQ(bench.unit.stalled_cycles(), 13);
  bench.run(1);
  EXPECT_EQ(bench.unit.stalled_cycles(), 14);
}

TEST_F(QuantizerUnitTest, AFullChannelStopsNothingUntilABlockIsDue) {
  // Accepted in cycles 1, 5 and 9; two blocks fill the channel from cycle 11 on. The third is due
  // in cycle 14, in which the consumer makes room: it stands still in that cycle alone.
  Bench bench({32, 6}, mxfp4_job(), 3, 4, 14);
  bench.run(40);
  EXPECT_EQ(bench.unit.stalled_cycles(), 1);
  bench.expect_in_order(2);
}

TEST_F(QuantizerUnitTest, RandomBackPressureNeverLosesOrReorders) {
  for (const uint32_t seed : {1U, 2U, 3U}) {
    SetUp();
    Bench bench({24, 7}, hif4_job(), 100);
    bench.input.throttle(seed, 0.4);
    bench.output.throttle(seed + 10, 0.6);
    bench.run(1500);
    bench.expect_in_order(100);
    EXPECT_GT(bench.unit.stalled_cycles(), 10);
  }
}

TEST_F(QuantizerUnitTest, ABeatOfSeveralBlocksPassesAtOnce) {
  Bench bench({32, 5}, mxfp4_job(), 11, 1, 1, 4);
  bench.run(20);
  EXPECT_EQ(bench.sink.seen, (std::vector<int>{6, 7, 8}));
  bench.expect_in_order(11);
}

TEST_F(QuantizerUnitTest, MasksTravelWithTheirBlocks) {
  Bench bench({16, 3}, nvfp4_job(ResidualPattern::kChannel50), 100);
  bench.input.throttle(4, 0.3);
  bench.output.throttle(5, 0.5);
  bench.run(800);
  bench.expect_in_order(100);
}

TEST_F(QuantizerUnitTest, ANewStartIsANewJob) {
  Bench bench({16, 4}, mxfp4_job(), 30);
  bench.job = nvfp4_job();
  bench.unit.start(bench.job, bench.speed.timing(bench.job));
  bench.run(60);
  bench.expect_in_order(30);
}

TEST_F(QuantizerUnitTest, ResetDropsWhatIsUnderWayAndStartsAfresh) {
  Bench bench({16, 12}, mxfp4_job(), 8);
  bench.run(9);  // blocks accepted in cycles 1, 3, 5 and 7, none out yet
  EXPECT_EQ(bench.sink.seen.size(), 0U);
  bench.reset_n.write(false);
  bench.run(3);
  EXPECT_EQ(bench.input.occupancy(), 0U);
  bench.reset_n.write(true);
  bench.run(13);
  EXPECT_EQ(bench.sink.seen.size(), 0U) << "a block from before the reset came through";
  bench.run(40);
  ASSERT_EQ(bench.sink.seen.size(), 8U);
  EXPECT_EQ(bench.sink.seen[0], 13);
  bench.expect_in_order(8);
}

TEST_F(QuantizerUnitTest, AJobWhoseBlocksTakeLongerThanTheLatencyIsRefused) {
  QuantizerUnit unit("unit");
  const auto start = [&](const Speed& speed, const QuantizerJob& job) {
    unit.start(job, speed.timing(job));
  };
  EXPECT_NO_THROW(start({16, 3}, mxfp4_job()));
  EXPECT_THROW(start({16, 3}, hif4_job()), InputError);  // 4 cycles a unit
  EXPECT_NO_THROW(start({4, 4}, nvfp4_job()));           // 4 cycles a block
  EXPECT_THROW(start({4, 3}, nvfp4_job()), InputError);
  EXPECT_THROW(start({0, 3}, mxfp4_job()), InputError);
}

}  // namespace
}  // namespace nibblecore::hw
