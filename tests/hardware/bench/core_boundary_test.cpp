// SPDX-License-Identifier: Apache-2.0
// Cases at the edge of something, worked by hand or named for what bounds them; bits against the
// reference, every cycle against the model.
#include <random>

#include <gtest/gtest.h>

#include "model/machine/tiler.hpp"
#include "tb/bench/core_bench.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/checked_run.hpp"
#include "tests/hardware/support/random_gemm.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore::tb {
namespace {

using test::RandomGemm;
using test::run_checked;

class CoreBoundaryTest : public test::SimulationTest {
 protected:
  CycleReport check(const Machine& machine, const GemmSpec& spec, const Tiling& tiling) {
    sc_core::sc_curr_simcontext = nullptr;
    const Program program(machine, spec, tiling);
    CoreBench bench("bench", machine);
    RandomGemm gemm(spec, preset(spec.format, ""), random);
    return run_checked(bench, program, gemm);
  }

  static int64_t stall(const CycleReport& report, Unit unit, StallCause cause) {
    return report[unit].stalls[static_cast<size_t>(cause)];
  }

  std::mt19937 random{47};
};

TEST_F(CoreBoundaryTest, OneStepTakesTheCyclesWorkedByHand) {
  // Loads of 16 x 34 = 544 bytes at 272 a cycle: A is there in 2 + 5, B in 4 + 5. Moves of a cycle
  // and a latency of 1: L0B is filled in 11. Step in 11, sums in 14, 2 additions of 2 cycles: 18.
  // The store's 1024 bytes take 4 cycles, the answer 5 more.
  const CycleReport report = check(round_machine(), {16, 16, 64, kMxfp4}, {1, 1, 1});
  EXPECT_EQ(report.total, 27);
  EXPECT_EQ(report[Unit::kMemoryPort].busy, 8);
  EXPECT_EQ(stall(report, Unit::kMemoryPort, StallCause::kResult), 14);
  EXPECT_EQ(stall(report, Unit::kArray, StallCause::kOperandA), 9);
  EXPECT_EQ(stall(report, Unit::kArray, StallCause::kOperandB), 2);
  EXPECT_EQ(report[Unit::kArray].busy, 1);
}

TEST_F(CoreBoundaryTest, OneValueTakesAStep) {
  // 17 bytes are a cycle of the port: the step in 9, the result in 16, 4 bytes stored in 17.
  const CycleReport report = check(round_machine(), {1, 1, 1, kMxfp4}, {1, 1, 1});
  EXPECT_EQ(report.total, 22);
  EXPECT_EQ(report.loaded_bytes, 34);
  EXPECT_EQ(report.stored_bytes, 4);
}

TEST_F(CoreBoundaryTest, BuffersThatAreExactlyFull) {
  for (int i = 0; i < 40; ++i) {
    RandomProgram configuration = random_program(random, {3, 6});
    configuration.machine = exactly_full(configuration);
    configuration.machine.quantizer_latency +=
        configuration.program().cycles_a_beat();  // a beat enters before it leaves
    SCOPED_TRACE(configuration.text());
    check(configuration.machine, configuration.spec, configuration.tiling);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(CoreBoundaryTest, BoundByTheMemory) {
  Machine machine = round_machine();
  machine.memory = {16, 1};
  const CycleReport report = check(machine, {64, 64, 512, kHif4}, {2, 2, 2});
  // The port never rests but for the first results and the last.
  EXPECT_GT(report[Unit::kMemoryPort].busy, report.total * 9 / 10);
  EXPECT_EQ(report[Unit::kMemoryPort].busy, 32 * machine.memory.duration(int64_t{32} * 2 * 36) +
                                                4 * machine.memory.duration(int64_t{32} * 32 * 4));
}

TEST_F(CoreBoundaryTest, BoundByTheLatencies) {
  Machine machine = round_machine();
  machine.memory_latency = 500;
  machine.l1_latency = 70;
  machine.accumulate_latency = 40;
  for (const StepOrder order : {StepOrder::kTilesInner, StepOrder::kStepsInner}) {
    const CycleReport report =
        check(machine, {16, 16, 256, kNvfp4}, {1, 1, 4, LoopOrder::kRowsOuter, order});
    // 4 steps of 4 additions; nothing else is under way meanwhile.
    EXPECT_EQ(stall(report, Unit::kArray, StallCause::kAccumulate), 3 * (4 * 40 - 1));
    EXPECT_GT(report.total, 2 * 500 + 70 + 4 * 4 * 40);
  }
}

TEST_F(CoreBoundaryTest, KThatIsNoMultipleOfTheStepOrTheBlock) {
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    for (const int64_t k : {1, 15, 16, 17, 63, 65, 96, 127, 129, 190, 193}) {
      SCOPED_TRACE(testing::Message() << format.name << ", K " << k);
      const CycleReport report = check(round_machine(), {20, 20, k, format}, {1, 2, 2});
      EXPECT_EQ(report.all_steps(), (k + 63) / 64 * 4);
    }
  }
}

TEST_F(CoreBoundaryTest, OnlineOperandsWithTailsInEveryBeat) {
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    for (const int64_t width : {16, 48, 112, 256}) {
      SCOPED_TRACE(testing::Message() << format.name << ", " << width << " values a cycle");
      Machine machine = round_machine();
      machine.quantizer_values_per_cycle = width;
      GemmSpec spec{19, 21, 150, format};
      spec.a = OperandPath::kOnlineFp32;
      spec.b = OperandPath::kOnlineBf16;
      const CycleReport report = check(machine, spec, {1, 1, 1});
      // A passes twice, once a column region; B twice, once a row region.
      EXPECT_EQ(report.quantized_blocks, int64_t{2} * (19 + 21) * spec.blocks());
    }
  }
}

}  // namespace
}  // namespace nibblecore::tb
