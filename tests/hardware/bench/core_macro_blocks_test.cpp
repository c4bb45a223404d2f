// SPDX-License-Identifier: Apache-2.0
// Factors of macro blocks, beside what the random configurations draw.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
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
using test::run_for_bits;
using test::small_machine;

GemmSpec spec_of(const BlockFormat& format, int64_t length) {
  GemmSpec spec{37, 35, 500, format};
  spec.macro_length = length;
  spec.a_has_factors = true;
  spec.b_has_factors = true;
  return spec;
}

class CoreMacroBlocksTest : public test::SimulationTest {
 protected:
  /// The same GEMM with other factors, the same for every row.
  static std::vector<uint32_t> result(CoreBench& bench, const GemmSpec& spec, float a, float b) {
    std::mt19937 random(5);
    RandomGemm gemm(spec, preset(spec.format, ""), random);
    CoreGemm changed = gemm.gemm();
    MacroScales of_a;
    MacroScales of_b;
    if (spec.macro_length > 0) {
      const auto count = static_cast<size_t>((spec.k + spec.macro_length - 1) / spec.macro_length);
      of_a = {spec.macro_length, std::vector<float>(count * static_cast<size_t>(spec.m), a)};
      of_b = {spec.macro_length, std::vector<float>(count * static_cast<size_t>(spec.n), b)};
      changed.a.macro = &of_a;
      changed.b.macro = &of_b;
    }
    bench.run(choose_program(bench.machine(), spec), changed);
    return gemm.result();
  }

  std::mt19937 random{82};
};

TEST_F(CoreMacroBlocksTest, EveryFormatLengthEpilogueAndOrder) {
  CoreBench bench("bench", small_machine());
  for (const BlockFormat& format : {kMxfp4, kHif4}) {
    for (const int64_t length : {64, 128, 192, 1024}) {
      for (const MacroEpilogue epilogue : {MacroEpilogue::kFused, MacroEpilogue::kSeparate}) {
        for (const StepOrder order : {StepOrder::kTilesInner, StepOrder::kStepsInner}) {
          GemmSpec spec = spec_of(format, length);
          spec.macro_epilogue = epilogue;
          spec.start = order == StepOrder::kTilesInner ? Start::kFromMemory : Start::kZero;
          spec.a_has_factors = length != 192;
          RandomGemm gemm(spec, preset(format, ""), random);
          TilingChoice choice;
          choice.step_order = order;
          run_checked(bench, choose_program(bench.machine(), spec, choice), gemm);
          ASSERT_FALSE(HasFailure()) << format.name << ", " << length;
        }
      }
    }
  }
}

TEST_F(CoreMacroBlocksTest, ResidualsOfAnOnlineOperandMeetFactorsOfTheOther) {
  CoreBench bench("bench", small_machine());
  for (const BlockFormat& format : {kMxfp4, kHif4}) {
    for (const ResidualBuild build : {ResidualBuild::kSerial, ResidualBuild::kParallel}) {
      for (const ResidualOrder order : {ResidualOrder::kInterleaved, ResidualOrder::kAppended}) {
        for (const ResidualAccumulator accumulator :
             {ResidualAccumulator::kShared, ResidualAccumulator::kOwn}) {
          for (const int64_t length : {64, 128, 1024}) {
            GemmSpec spec = spec_of(format, length);
            spec.k = 230;
            spec.a = OperandPath::kOnlineFp32;
            spec.a_has_factors = false;
            spec.residual = length == 128 ? ResidualPattern::kDense : ResidualPattern::kTwoOfFour;
            spec.residual_build = build;
            spec.residual_order = order;
            spec.residual_accumulator = accumulator;
            RandomGemm gemm(spec, preset(format, ""), random);
            run_checked(bench, choose_program(bench.machine(), spec), gemm);
            ASSERT_FALSE(HasFailure()) << format.name << ", " << length;
          }
        }
      }
    }
  }
}

TEST_F(CoreMacroBlocksTest, FactorsOfOneOverAllOfKChangeNothing) {
  CoreBench bench("bench", small_machine());
  GemmSpec plain = spec_of(kMxfp4, 0);
  plain.a_has_factors = plain.b_has_factors = false;
  std::mt19937 same(5);
  RandomGemm gemm(plain, preset(kMxfp4, ""), same);
  run_checked(bench, choose_program(bench.machine(), plain), gemm);
  EXPECT_EQ(result(bench, spec_of(kMxfp4, 512), 1.0F, 1.0F), gemm.result());
}

TEST_F(CoreMacroBlocksTest, PowersOfTwoScaleResultsExactlyAndMayMoveToTheOtherOperand) {
  CoreBench bench("bench", small_machine());
  const GemmSpec spec = spec_of(kHif4, 128);
  const std::vector<uint32_t> base = result(bench, spec, 1.25F, 1.0F);
  EXPECT_EQ(result(bench, spec, 1.0F, 1.25F), base);
  const std::vector<uint32_t> scaled = result(bench, spec, 1.25F, 0x1p-20F);
  for (size_t i = 0; i < base.size(); ++i) {
    ASSERT_EQ(scaled[i], float_bits(bits_float(base[i]) * 0x1p-20F)) << i;
  }
}

TEST_F(CoreMacroBlocksTest, BackPressureChangesNoBit) {
  CoreBench bench("bench", small_machine());
  const GemmSpec spec = spec_of(kMxfp4, 128);
  const Program program = choose_program(bench.machine(), spec);
  RandomGemm gemm(spec, preset(kMxfp4, ""), random);
  for (const double probability : {0.1, 0.6}) {
    bench.core().throttle(7, probability);
    EXPECT_GE(run_for_bits(bench, program, gemm).total, program_cycles(program).total);
  }
}

TEST_F(CoreMacroBlocksTest, FactorsThatAreNotTheProgramsAreRefused) {
  CoreBench bench("bench", small_machine());
  const GemmSpec spec = spec_of(kMxfp4, 128);
  const Program program = choose_program(bench.machine(), spec);
  RandomGemm gemm(spec, preset(kMxfp4, ""), random);
  CoreGemm without = gemm.gemm();
  without.b.macro = nullptr;
  EXPECT_THROW(bench.run(program, without), InternalError);
  MacroScales shorter = *gemm.gemm().a.macro;
  shorter.length = 64;
  CoreGemm other = gemm.gemm();
  other.a.macro = &shorter;
  EXPECT_THROW(bench.run(program, other), InternalError);
  EXPECT_THROW(result(bench, spec, 0.0F, 1.0F), InputError);
  EXPECT_THROW(result(bench, spec, 1.0F, 1.0001F), InputError);
  run_checked(bench, program, gemm);
}

}  // namespace
}  // namespace nibblecore::tb
