// SPDX-License-Identifier: Apache-2.0
// Residuals with accumulators of their own, beside what the random configurations draw.
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
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
using test::small_machine;

GemmSpec spec_of(const BlockFormat& format, ResidualPattern pattern, ResidualBuild build,
                 ResidualOrder order) {
  GemmSpec spec{40, 35, 300, format, OperandPath::kOnlineFp32};
  spec.residual = pattern;
  spec.residual_build = build;
  spec.residual_order = order;
  spec.residual_accumulator = ResidualAccumulator::kOwn;
  return spec;
}

class CoreResidualAccumulatorTest : public test::SimulationTest {
 protected:
  std::vector<uint32_t> result(CoreBench& bench, const GemmSpec& spec, unsigned seed, float alpha) {
    std::mt19937 random(seed);
    RandomGemm gemm(spec, preset(spec.format, ""), random);
    CoreGemm changed = gemm.gemm();
    changed.residual_alpha = alpha;
    bench.run(choose_program(bench.machine(), spec), changed);
    return gemm.result();
  }
};

TEST_F(CoreResidualAccumulatorTest, EveryPatternBuildAndOrder) {
  CoreBench bench("bench", small_machine());
  std::mt19937 random(81);
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    for (const ResidualPattern pattern :
         {ResidualPattern::kTwoOfFour, ResidualPattern::kDense, ResidualPattern::kChannel50,
          ResidualPattern::kBlock32x64At50}) {
      for (const ResidualBuild build : {ResidualBuild::kSerial, ResidualBuild::kParallel}) {
        for (const ResidualOrder order : {ResidualOrder::kInterleaved, ResidualOrder::kAppended}) {
          for (const OutputWidth output : {OutputWidth::kFp32, OutputWidth::kBf16}) {
            GemmSpec spec = spec_of(format, pattern, build, order);
            spec.output = output;
            spec.start = output == OutputWidth::kFp32 ? Start::kFromMemory : Start::kZero;
            RandomGemm gemm(spec, preset(format, ""), random);
            run_checked(bench, choose_program(bench.machine(), spec), gemm);
            ASSERT_FALSE(HasFailure()) << format.name << " " << name_of(pattern);
          }
        }
      }
    }
  }
}

TEST_F(CoreResidualAccumulatorTest, BuildAndOrderChangeNoBit) {
  CoreBench bench("bench", small_machine());
  const auto of = [&](ResidualBuild build, ResidualOrder order) {
    return result(bench, spec_of(kNvfp4, ResidualPattern::kTwoOfFour, build, order), 5, 0.5F);
  };
  const std::vector<uint32_t> serial = of(ResidualBuild::kSerial, ResidualOrder::kInterleaved);
  EXPECT_EQ(of(ResidualBuild::kSerial, ResidualOrder::kAppended), serial);
  EXPECT_EQ(of(ResidualBuild::kParallel, ResidualOrder::kInterleaved), serial);
  EXPECT_EQ(of(ResidualBuild::kParallel, ResidualOrder::kAppended), serial);
}

TEST_F(CoreResidualAccumulatorTest, AFactorOfZeroLeavesTheGemmWithoutItsResidual) {
  CoreBench bench("bench", small_machine());
  const GemmSpec spec =
      spec_of(kHif4, ResidualPattern::kDense, ResidualBuild::kSerial, ResidualOrder::kInterleaved);
  GemmSpec plain = spec;
  plain.residual = ResidualPattern::kNone;
  plain.residual_accumulator = ResidualAccumulator::kShared;
  const std::vector<uint32_t> without = result(bench, plain, 6, 1.0F);
  EXPECT_EQ(result(bench, spec, 6, 0.0F), without);
  EXPECT_NE(result(bench, spec, 6, 0.5F), without);
}

TEST_F(CoreResidualAccumulatorTest, AFactorThatIsNotFiniteIsRefused) {
  CoreBench bench("bench", small_machine());
  const GemmSpec spec =
      spec_of(kMxfp4, ResidualPattern::kDense, ResidualBuild::kSerial, ResidualOrder::kAppended);
  EXPECT_THROW(result(bench, spec, 7, std::numeric_limits<float>::infinity()), InputError);
  EXPECT_THROW(result(bench, spec, 7, std::numeric_limits<float>::quiet_NaN()), InputError);
}

}  // namespace
}  // namespace nibblecore::tb
