// SPDX-License-Identifier: Apache-2.0
// The core against the golden reference and the cycle model: shapes, formats, scales, start values,
// cores.
#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/machine/tiler.hpp"
#include "tb/bench/core_bench.hpp"
#include "tests/hardware/datapath/available_targets.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/hardware/support/all_formats.hpp"
#include "tests/hardware/support/checked_run.hpp"
#include "tests/hardware/support/packed_gemm.hpp"
#include "tests/hardware/support/small_machine.hpp"
#include "tests/support/random_matrix.hpp"

namespace nibblecore::tb {
namespace {

using test::all_formats;
using test::PackedGemm;
using test::random_matrix;
using test::run_checked;
using test::Scales;
using test::small_machine;

struct Shape {
  int64_t m, n, k;
};

class CoreValuesTest : public test::SimulationTest {
 protected:
  static void check(CoreBench& bench, PackedGemm& gemm) {
    run_checked(bench, choose_program(bench.machine(), gemm.spec()), gemm);
  }

  void check_random(CoreBench& bench, const BlockFormat& format, const Shape& shape,
                    Scales scales = Scales::kOrdinary) {
    PackedGemm gemm(random_matrix(format, shape.m, shape.k, random, scales),
                    random_matrix(format, shape.n, shape.k, random, scales));
    check(bench, gemm);
  }

  std::mt19937 random{10};
};

TEST_F(CoreValuesTest, OddShapesInEveryFormat) {
  CoreBench bench("bench", small_machine());
  constexpr std::array<Shape, 9> kShapes{{{5, 17, 97},
                                          {1, 1, 1},
                                          {1, 40, 65},
                                          {16, 16, 64},
                                          {17, 16, 64},
                                          {16, 33, 128},
                                          {48, 16, 31},
                                          {3, 5, 320},
                                          {83, 71, 593}}};
  for (const BlockFormat& format : all_formats()) {
    for (const Shape& shape : kShapes) {
      SCOPED_TRACE(testing::Message()
                   << "block " << format.block << ", " << scale_name(format.scale) << ", "
                   << shape.m << "x" << shape.n << "x" << shape.k);
      check_random(bench, format, shape);
    }
  }
}

TEST_F(CoreValuesTest, WholeRangeOfScales) {
  CoreBench bench("bench", small_machine());
  for (const BlockFormat& format : all_formats()) {
    check_random(bench, format, {40, 40, 200}, Scales::kAnyFinite);
  }
}

TEST_F(CoreValuesTest, ZeroBlocksAndNanScales) {
  CoreBench bench("bench", small_machine());
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    PackedMatrix a = random_matrix(format, 20, 160, random);
    // Row 3 is zero throughout, row 4 has one zero block.
    std::fill_n(a.row_codes(3), a.code_stride(), uint8_t{0});
    std::fill_n(a.row_codes(4), format.block / 2, uint8_t{0});
    // The last block of row 7 is NaN, over zero codes in row 8.
    const uint8_t nan = format.scale == ScaleKind::kUe4m3 ? 0x7F : 0xFF;
    a.row_scales(7)[a.scale_stride() - format.scale_bytes()] = nan;
    a.row_scales(8)[0] = nan;
    std::fill_n(a.row_codes(8), a.code_stride(), uint8_t{0});
    PackedGemm gemm(std::move(a), random_matrix(format, 20, 160, random));
    check(bench, gemm);
    for (size_t j = 0; j < 20; ++j) {
      EXPECT_EQ(gemm.result()[size_t{3} * 20 + j], 0U);
      EXPECT_EQ(gemm.result()[size_t{7} * 20 + j], 0x7FC00000U);
      EXPECT_EQ(gemm.result()[size_t{8} * 20 + j], 0x7FC00000U);
    }
  }
}

TEST_F(CoreValuesTest, SumsOverflowToInfinity) {
  CoreBench bench("bench", small_machine());
  PackedMatrix a = random_matrix(kMxfp4, 20, 160, random);
  PackedMatrix b = random_matrix(kMxfp4, 20, 160, random);
  for (PackedMatrix* matrix : {&a, &b}) {
    std::fill(matrix->codes.begin(), matrix->codes.end(), uint8_t{0x77});
    std::fill(matrix->scales.begin(), matrix->scales.end(), uint8_t{190});
  }
  std::fill_n(a.row_codes(1), a.code_stride(), uint8_t{0xFF});
  PackedGemm gemm(std::move(a), std::move(b));
  check(bench, gemm);
  EXPECT_EQ(gemm.result()[0], 0x7F800000U);
  EXPECT_EQ(gemm.result()[20], 0xFF800000U);
}

TEST_F(CoreValuesTest, AccumulatorsStartFromC) {
  CoreBench bench("bench", small_machine());
  constexpr std::array<uint32_t, 10> kStarts{0x00000000, 0x80000000, 0x00000001, 0x807FFFFF,
                                             0x3F800000, 0x7F7FFFFF, 0x7F800000, 0xFF800000,
                                             0x7F800001, 0xC2FFFFFF};
  std::vector<uint32_t> c(size_t{73} * 67);
  for (size_t i = 0; i < c.size(); ++i) {
    c[i] = kStarts[i % kStarts.size()];
  }
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    PackedGemm gemm(random_matrix(format, 73, 330, random), random_matrix(format, 67, 330, random),
                    c);
    check(bench, gemm);
  }
}

TEST_F(CoreValuesTest, TheStorePathMultipliesByTheTensorScales) {
  CoreBench bench("bench", small_machine());
  for (const float scale : {0.0123F, 1e-38F, 3e20F, -1.0F / 3}) {
    PackedMatrix a = random_matrix(kNvfp4, 18, 96, random);
    PackedMatrix b = random_matrix(kNvfp4, 18, 96, random);
    a.tensor_scale = scale;
    b.tensor_scale = 1.7F;
    PackedGemm gemm(std::move(a), std::move(b));
    check(bench, gemm);
  }
}

TEST_F(CoreValuesTest, EveryTargetOnCoresThatFillNoWholeGroupOfLanes) {
  constexpr std::array<CoreDescription, 4> kCores{
      {{16, 5, 64}, {5, 17, 64}, {20, 40, 128}, {8, 4, 128}}};
  for (const hw::SimdTarget target : test::available_targets()) {
    for (const CoreDescription& core : kCores) {
      SCOPED_TRACE(testing::Message() << hw::simd_target_name(target) << ", " << core.rows << "x"
                                      << core.columns << "x" << core.depth);
      sc_core::sc_curr_simcontext = nullptr;
      CoreBench bench("bench", small_machine(core), target);
      for (const BlockFormat& format : all_formats()) {
        check_random(bench, format, {43, 45, 300}, Scales::kAnyFinite);
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore::tb
