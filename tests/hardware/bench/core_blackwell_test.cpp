// SPDX-License-Identifier: Apache-2.0
// The core under `blackwell` and `blackwell-v1` against the golden reference and the cycle model.
#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/machine/tiler.hpp"
#include "tb/bench/core_bench.hpp"
#include "tests/hardware/datapath/available_targets.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/checked_run.hpp"
#include "tests/hardware/support/packed_gemm.hpp"
#include "tests/hardware/support/random_gemm.hpp"
#include "tests/hardware/support/small_machine.hpp"
#include "tests/support/random_matrix.hpp"

namespace nibblecore::tb {
namespace {

using test::PackedGemm;
using test::random_matrix;
using test::RandomGemm;
using test::run_checked;
using test::run_for_bits;
using test::Scales;
using test::small_machine;

constexpr std::array<Accumulation, 2> kPolicies{Accumulation::kBlackwell,
                                                Accumulation::kBlackwellV1};
constexpr std::array<BlockFormat, 4> kFormats{{kMxfp4,
                                               kNvfp4,
                                               {"", ElementKind::kE2m1, ScaleKind::kE8m0, 16},
                                               {"", ElementKind::kE2m1, ScaleKind::kUe4m3, 32}}};
constexpr uint32_t kNan = 0x7FFFFFFF;
// K from a part of a block to several steps; ends inside a node, and behind one, in every format.
constexpr std::array<int64_t, 9> kLengths{1, 16, 31, 32, 64, 65, 112, 128, 331};

class CoreBlackwellTest : public test::SimulationTest {
 protected:
  static void check(CoreBench& bench, PackedGemm& gemm) {
    run_checked(bench, choose_program(bench.machine(), gemm.spec()), gemm);
  }

  /// Operands with blocks of zeros, and pairs that cancel.
  PackedMatrix matrix(const BlockFormat& format, int64_t rows, int64_t k,
                      Scales scales = Scales::kOrdinary) {
    PackedMatrix matrix = random_matrix(format, rows, k, random, scales);
    for (int64_t row = 0; row < rows; row += 3) {
      const auto half = static_cast<int64_t>(random() % static_cast<uint32_t>((k + 15) / 16));
      const int64_t first = 16 * half / 2;
      std::fill_n(matrix.row_codes(row) + first, std::min<int64_t>(8, matrix.code_stride() - first),
                  uint8_t{0});
    }
    return matrix;
  }

  std::vector<uint32_t> starts(int64_t count) {
    constexpr std::array<uint32_t, 12> kSpecials{0x00000000, 0x80000000, 0x00000001, 0x807FFFFF,
                                                 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0xFF800000,
                                                 0x7F800001, 0xFFC12345, 0x7FFFFFFF, 0xC2FFFFFF};
    std::vector<uint32_t> values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(i % 2 == 0 ? kSpecials[static_cast<size_t>(i / 2) % kSpecials.size()]
                                  : static_cast<uint32_t>(random()));
    }
    return values;
  }

  std::mt19937 random{90};
};

TEST_F(CoreBlackwellTest, EveryLengthFormatDepthAndScale) {
  for (const int depth : {64, 128}) {
    sc_core::sc_curr_simcontext = nullptr;
    CoreBench bench("bench", small_machine({16, 16, depth}));
    for (const Accumulation policy : kPolicies) {
      for (const BlockFormat& format : kFormats) {
        for (const int64_t k : kLengths) {
          for (const Scales scales : {Scales::kOrdinary, Scales::kAnyFinite}) {
            SCOPED_TRACE(testing::Message() << name_of(policy) << ", block " << format.block << ", "
                                            << k << ", depth " << depth);
            PackedGemm gemm(matrix(format, 19, k, scales), matrix(format, 21, k, scales),
                            k % 2 == 0 ? starts(int64_t{19} * 21) : std::vector<uint32_t>{},
                            policy);
            check(bench, gemm);
            ASSERT_FALSE(HasFailure());
          }
        }
      }
    }
  }
}

TEST_F(CoreBlackwellTest, EveryTargetOnCoresThatFillNoWholeGroupOfLanes) {
  constexpr std::array<CoreDescription, 3> kCores{{{16, 5, 64}, {5, 17, 64}, {20, 40, 128}}};
  for (const hw::SimdTarget target : test::available_targets()) {
    for (const CoreDescription& core : kCores) {
      sc_core::sc_curr_simcontext = nullptr;
      CoreBench bench("bench", small_machine(core), target);
      for (const BlockFormat& format : kFormats) {
        PackedGemm gemm(matrix(format, 43, 300, Scales::kAnyFinite),
                        matrix(format, 45, 300, Scales::kAnyFinite), starts(int64_t{43} * 45),
                        Accumulation::kBlackwell);
        check(bench, gemm);
      }
    }
  }
}

TEST_F(CoreBlackwellTest, NansHaveOnePatternWhereverTheyComeFrom) {
  CoreBench bench("bench", small_machine());
  for (const BlockFormat& format : {kMxfp4, kNvfp4}) {
    PackedMatrix a = matrix(format, 20, 160);
    const uint8_t nan = format.scale == ScaleKind::kUe4m3 ? 0x7F : 0xFF;
    // The last block of row 7; the first one of row 8, over zeros.
    a.row_scales(7)[a.scale_stride() - 1] = nan;
    a.row_scales(8)[0] = nan;
    std::fill_n(a.row_codes(8), a.code_stride(), uint8_t{0});
    std::vector<uint32_t> c(400, 0x3F800000);
    c[0] = 0xFF800001;
    c[size_t{7} * 20] = 0x7F800000;
    for (const float scale : {1.0F, 0.37F}) {
      a.tensor_scale = format.scale == ScaleKind::kUe4m3 ? scale : 1.0F;
      PackedGemm gemm(a, matrix(format, 20, 160), c, Accumulation::kBlackwell);
      check(bench, gemm);
      EXPECT_EQ(gemm.result()[0], kNan);
      for (size_t j = 0; j < 20; ++j) {
        EXPECT_EQ(gemm.result()[size_t{7} * 20 + j], kNan);
        EXPECT_EQ(gemm.result()[size_t{8} * 20 + j], kNan);
      }
    }
  }
}

TEST_F(CoreBlackwellTest, AFactorOfInfinityTimesZeroIsNan) {
  CoreBench bench("bench", small_machine());
  PackedMatrix a = matrix(kNvfp4, 3, 64);
  std::fill_n(a.row_codes(0), a.code_stride(), uint8_t{0});
  a.tensor_scale = 3e38F;
  PackedMatrix b = matrix(kNvfp4, 3, 64);
  b.tensor_scale = 3e38F;
  PackedGemm gemm(std::move(a), std::move(b), {}, Accumulation::kBlackwellV1);
  check(bench, gemm);
  EXPECT_EQ(gemm.result()[0], kNan);
  EXPECT_EQ(gemm.result()[3] & 0x7FFFFFFF, 0x7F800000U);
}

TEST_F(CoreBlackwellTest, ResultsAsBf16) {
  CoreBench bench("bench", small_machine());
  for (const Accumulation policy : kPolicies) {
    GemmSpec spec{37, 20, 150, kMxfp4};
    spec.accumulation = policy;
    spec.output = OutputWidth::kBf16;
    RandomGemm gemm(spec, preset(kMxfp4, ""), random);
    run_checked(bench, choose_program(bench.machine(), spec), gemm);
    PackedMatrix a = matrix(kMxfp4, 2, 64);
    a.scales[0] = 0xFF;
    PackedGemm nan(std::move(a), matrix(kMxfp4, 2, 64), {}, policy);
    GemmSpec narrow = nan.spec();
    narrow.output = OutputWidth::kBf16;
    nan.forget_result();
    bench.run(choose_program(bench.machine(), narrow), nan.gemm());
    EXPECT_EQ(nan.result()[0], 0x7FFF0000U);
  }
}

TEST_F(CoreBlackwellTest, MacroBlocksTakeTheirSumsFromNodes) {
  for (const int depth : {64, 128}) {
    sc_core::sc_curr_simcontext = nullptr;
    CoreBench bench("bench", small_machine({16, 16, depth}));
    for (const Accumulation policy : kPolicies) {
      for (const MacroEpilogue epilogue : {MacroEpilogue::kFused, MacroEpilogue::kSeparate}) {
        for (const int64_t length : {depth, 2 * depth, 1024}) {
          GemmSpec spec{37, 35, 500, kMxfp4};
          spec.accumulation = policy;
          spec.macro_length = length;
          spec.macro_epilogue = epilogue;
          spec.a_has_factors = spec.b_has_factors = true;
          spec.start = length == depth ? Start::kFromMemory : Start::kZero;
          RandomGemm gemm(spec, preset(kMxfp4, ""), random);
          run_checked(bench, choose_program(bench.machine(), spec), gemm);
          ASSERT_FALSE(HasFailure()) << name_of(policy) << ", " << length << ", " << depth;
        }
      }
    }
  }
}

TEST_F(CoreBlackwellTest, NansOfTheEpilogueHaveThePatternToo) {
  CoreBench bench("bench", small_machine());
  PackedMatrix a = matrix(kMxfp4, 2, 128);
  a.row_scales(0)[3] = 0xFF;
  const PackedMatrix b = matrix(kMxfp4, 2, 128);
  const MacroScales macro{64, std::vector<float>(4, 0.5F)};
  const std::vector<uint32_t> c{0x3F800000, 0x3F800000, 0xFFC00001, 0x7F800000};
  std::vector<uint32_t> d(4);
  CoreGemm gemm{packed_operand(a), packed_operand(b), c.data(), d.data()};
  gemm.a.macro = &macro;
  GemmSpec spec{2, 2, 128, kMxfp4};
  spec.accumulation = Accumulation::kBlackwell;
  spec.start = Start::kFromMemory;
  spec.macro_length = 64;
  spec.a_has_factors = true;
  bench.run(choose_program(bench.machine(), spec), gemm);
  EXPECT_EQ(d, (std::vector<uint32_t>{kNan, kNan, kNan, 0x7F800000}));
}

TEST_F(CoreBlackwellTest, OnlineOperandsAreQuantizedAsEver) {
  CoreBench bench("bench", small_machine());
  for (const BlockFormat& format : {kMxfp4, kNvfp4}) {
    GemmSpec spec{40, 36, 260, format};
    spec.a = OperandPath::kOnlineBf16;
    spec.b = OperandPath::kOnlineFp32;
    spec.start = Start::kFromMemory;
    spec.accumulation = Accumulation::kBlackwell;
    RandomGemm gemm(spec, preset(format, ""), random);
    run_checked(bench, choose_program(bench.machine(), spec), gemm);
  }
}

TEST_F(CoreBlackwellTest, BackPressureAndResetsChangeNoBit) {
  CoreBench bench("bench", small_machine());
  GemmSpec spec{50, 35, 200, kMxfp4};
  spec.accumulation = Accumulation::kBlackwell;
  spec.start = Start::kFromMemory;
  const Program program = choose_program(bench.machine(), spec);
  RandomGemm gemm(spec, preset(kMxfp4, ""), random);
  const int64_t total = run_checked(bench, program, gemm).total;
  for (int64_t cycles = 0; cycles <= total + 1; cycles += cycles < 40 ? 3 : 29) {
    bench.run_and_reset(program, gemm.gemm(), cycles);
    run_checked(bench, program, gemm);
    ASSERT_FALSE(HasFailure()) << "reset after " << cycles;
  }
  for (const double probability : {0.1, 0.6}) {
    bench.core().throttle(7, probability);
    EXPECT_GE(run_for_bits(bench, program, gemm).total, total);
  }
}

TEST_F(CoreBlackwellTest, PoliciesFollowEachOtherOnOneCore) {
  CoreBench bench("bench", small_machine());
  for (const Accumulation policy :
       {Accumulation::kFp32Rne, Accumulation::kBlackwell, Accumulation::kFp32Rne,
        Accumulation::kBlackwellV1, Accumulation::kBlackwell}) {
    PackedGemm gemm(matrix(kMxfp4, 30, 200, Scales::kAnyFinite),
                    matrix(kMxfp4, 30, 200, Scales::kAnyFinite), starts(900), policy);
    check(bench, gemm);
    ASSERT_FALSE(HasFailure()) << name_of(policy);
  }
}

}  // namespace
}  // namespace nibblecore::tb
