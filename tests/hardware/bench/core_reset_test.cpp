// SPDX-License-Identifier: Apache-2.0
// A GEMM that a reset cut off leaves no trace: the next one takes the same bits and cycles as on a
// core that has run nothing.
#include <random>

#include <gtest/gtest.h>

#include "model/machine/tiler.hpp"
#include "tb/bench/core_bench.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/checked_run.hpp"
#include "tests/hardware/support/four_phase_memory.hpp"
#include "tests/hardware/support/random_gemm.hpp"
#include "tests/hardware/support/small_machine.hpp"

namespace nibblecore::tb {
namespace {

using test::RandomGemm;
using test::run_checked;
using test::run_for_bits;
using test::small_machine;

GemmSpec packed_spec() { return {50, 50, 200, kMxfp4}; }

/// Every unit works, the quantizers of both operands among them.
GemmSpec busy_spec() {
  GemmSpec spec{40, 36, 260, kNvfp4};
  spec.a = OperandPath::kOnlineBf16;
  spec.b = OperandPath::kOnlineFp32;
  spec.residual = ResidualPattern::kTwoOfFour;
  spec.start = Start::kFromMemory;
  spec.output = OutputWidth::kBf16;
  return spec;
}

class CoreResetTest : public test::SimulationTest {
 protected:
  std::mt19937 random{23};
};

TEST_F(CoreResetTest, AResetInAnyPhaseLeavesTheRerunAsItWouldBeAlone) {
  CoreBench bench("bench", small_machine());
  for (const GemmSpec& spec : {packed_spec(), busy_spec()}) {
    const Program program = choose_program(bench.machine(), spec);
    RandomGemm gemm(spec, preset(spec.format, ""), random);
    const int64_t total = program_cycles(program).total;
    for (int64_t cycles = 0; cycles <= total + 1; cycles += cycles < 40 ? 1 : 29) {
      SCOPED_TRACE(testing::Message() << spec.format.name << ", reset after " << cycles);
      bench.run_and_reset(program, gemm.gemm(), cycles);
      run_checked(bench, program, gemm);
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_F(CoreResetTest, AnotherGemmMayFollowTheReset) {
  CoreBench bench("bench", small_machine());
  const Program large = choose_program(bench.machine(), busy_spec());
  RandomGemm abandoned(busy_spec(), preset(kNvfp4, ""), random);
  // Its operands come to lie where the abandoned GEMM's result was on its way to.
  const GemmSpec spec = packed_spec();
  const Program program = choose_program(bench.machine(), spec);
  RandomGemm gemm(spec, preset(kMxfp4, ""), random);
  ASSERT_GT(program.a_image_bytes() + program.b_image_bytes(), 0);
  const int64_t total = program_cycles(large).total;
  for (int64_t cycles = 0; cycles <= total; cycles += 7) {
    SCOPED_TRACE(testing::Message() << "reset after " << cycles);
    bench.run_and_reset(large, abandoned.gemm(), cycles);
    run_checked(bench, program, gemm);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(CoreResetTest, AWriteOnItsWayNeverReachesTheNextGemmsOperands) {
  // The abandoned GEMM is small, its result near address 0, where the next one's operands lie.
  Machine machine = small_machine();
  machine.memory_latency = 300;
  CoreBench bench("bench", machine);
  const GemmSpec small{16, 16, 64, kMxfp4};
  const Program abandoned = choose_program(machine, small);
  RandomGemm lost(small, preset(kMxfp4, ""), random);
  const GemmSpec spec = packed_spec();
  const Program program = choose_program(machine, spec);
  RandomGemm gemm(spec, preset(kMxfp4, ""), random);
  ASSERT_GT(program.a_image_bytes(),
            abandoned.a_image_bytes() + abandoned.b_image_bytes() + abandoned.store_image_bytes());
  const int64_t total = program_cycles(abandoned).total;
  for (int64_t cycles = total - machine.memory_latency - 8; cycles <= total; cycles += 4) {
    SCOPED_TRACE(testing::Message() << "reset after " << cycles);
    bench.run_and_reset(abandoned, lost.gemm(), cycles);
    run_checked(bench, program, gemm);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(CoreResetTest, AResetKeepsTheBaseProtocolOfAStrictMemory) {
  test::FourPhaseMemory memory("memory", 1 << 20, test::AnswerStyle::kCalls, 8);
  CoreBench bench("bench", small_machine(), hw::best_simd_target(), {&memory.socket, 64});
  const GemmSpec spec = busy_spec();
  const Program program = choose_program(bench.machine(), spec);
  RandomGemm gemm(spec, preset(kNvfp4, ""), random);
  for (int64_t cycles = 0; cycles < 60; ++cycles) {
    SCOPED_TRACE(testing::Message() << "reset after " << cycles);
    bench.run_and_reset(program, gemm.gemm(), cycles);
    run_for_bits(bench, program, gemm);
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
}  // namespace nibblecore::tb
