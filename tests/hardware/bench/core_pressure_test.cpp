// SPDX-License-Identifier: Apache-2.0
// Channels that refuse entries at random slow the core down and change nothing else.
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/machine/tiler.hpp"
#include "tb/bench/core_bench.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/checked_run.hpp"
#include "tests/hardware/support/random_gemm.hpp"
#include "tests/hardware/support/small_machine.hpp"

namespace nibblecore::tb {
namespace {

using test::RandomGemm;
using test::run_checked;
using test::run_for_bits;
using test::small_machine;

struct Residual {
  ResidualPattern pattern;
  ResidualBuild build;
  ResidualOrder order;
};

std::vector<Residual> residuals() {
  std::vector<Residual> all{{ResidualPattern::kNone, {}, {}}};
  for (const ResidualPattern pattern :
       {ResidualPattern::kTwoOfFour, ResidualPattern::kDense, ResidualPattern::kChannel50,
        ResidualPattern::kBlock32x64At50}) {
    for (const ResidualBuild build : {ResidualBuild::kSerial, ResidualBuild::kParallel}) {
      for (const ResidualOrder order : {ResidualOrder::kInterleaved, ResidualOrder::kAppended}) {
        all.push_back({pattern, build, order});
      }
    }
  }
  return all;
}

class CorePressureTest : public test::SimulationTest {
 protected:
  /// One GEMM without pressure, then under several seeds and probabilities.
  static void check(CoreBench& bench, const GemmSpec& spec, std::mt19937& random) {
    const Program program = choose_program(bench.machine(), spec);
    RandomGemm gemm(spec, preset(spec.format, ""), random);
    bench.core().throttle(0, 0.0);
    const CycleReport free = run_checked(bench, program, gemm);
    for (const double probability : {0.02, 0.3, 0.8}) {
      for (uint32_t seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(testing::Message() << "probability " << probability << ", seed " << seed);
        bench.core().throttle(1000 * seed, probability);
        const CycleReport held = run_for_bits(bench, program, gemm);
        EXPECT_GE(held.total, free.total);
        EXPECT_EQ(held.steps, free.steps);
        EXPECT_EQ(held[Unit::kArray].busy, free[Unit::kArray].busy);
        EXPECT_EQ(held.quantized_blocks, free.quantized_blocks);
        EXPECT_EQ(held.loaded_bytes, free.loaded_bytes);
        EXPECT_EQ(held.stored_bytes, free.stored_bytes);
        if (probability > 0.5) {
          EXPECT_GT(held.total, free.total);
          EXPECT_GT(held[Unit::kArray].stalls[static_cast<size_t>(StallCause::kPipeline)], 0);
        }
      }
    }
  }

  std::mt19937 random{31};
};

TEST_F(CorePressureTest, PackedOperands) {
  CoreBench bench("bench", small_machine());
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    GemmSpec spec{50, 35, 300, format};
    check(bench, spec, random);
    spec.start = Start::kFromMemory;
    spec.output = OutputWidth::kBf16;
    check(bench, spec, random);
  }
}

TEST_F(CorePressureTest, OnlineOperandsAndEveryKindOfResidual) {
  CoreBench bench("bench", small_machine());
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    for (const Residual& residual : residuals()) {
      SCOPED_TRACE(testing::Message() << format.name << ", " << name_of(residual.pattern) << " "
                                      << name_of(residual.build) << " " << name_of(residual.order));
      GemmSpec spec{40, 35, 300, format};
      spec.a = OperandPath::kOnlineBf16;
      spec.b = residual.build == ResidualBuild::kSerial ? OperandPath::kOnlineFp32
                                                        : OperandPath::kPacked;
      spec.residual = residual.pattern;
      spec.residual_build = residual.build;
      spec.residual_order = residual.order;
      check(bench, spec, random);
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_F(CorePressureTest, TheSeedDecidesTheCycles) {
  CoreBench bench("bench", small_machine());
  const GemmSpec spec{50, 35, 300, kNvfp4};
  const Program program = choose_program(bench.machine(), spec);
  RandomGemm gemm(spec, preset(kNvfp4, ""), random);
  bench.core().throttle(5, 0.4);
  const CycleReport first = run_for_bits(bench, program, gemm);
  EXPECT_GT(first.total, program_cycles(program).total);
  bench.core().throttle(5, 0.4);
  EXPECT_TRUE(run_for_bits(bench, program, gemm) == first);
  bench.core().throttle(6, 0.4);
  EXPECT_FALSE(run_for_bits(bench, program, gemm) == first);
  bench.core().throttle(0, 0.0);
  run_checked(bench, program, gemm);
}

}  // namespace
}  // namespace nibblecore::tb
