// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/core_bench.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/machine/cycle_model.hpp"
#include "model/reference/gemm.hpp"
#include "tb/bench/waveform.hpp"
#include "tests/hardware/datapath/available_targets.hpp"
#include "tests/hardware/simulation_test.hpp"
#include "tests/support/random_matrix.hpp"

namespace nibblecore::tb {
namespace {

using test::random_matrix;
using test::Scales;

struct Shape {
  int64_t m, n, k;
};

/// Every block format that the core takes, the unnamed ones of block-scaled MMA included.
std::vector<BlockFormat> all_formats() {
  std::vector<BlockFormat> formats{kMxfp4, kHif4, kNvfp4};
  for (const int block : {16, 32, 64}) {
    for (const ScaleKind scale : {ScaleKind::kE8m0, ScaleKind::kUe4m3}) {
      formats.push_back({"", ElementKind::kE2m1, scale, block});
    }
  }
  return formats;
}

class CoreBenchTest : public test::SimulationTest {
 protected:
  /// Runs a GEMM and checks every bit against the reference.
  static CycleCounts run(CoreBench& bench, const PackedMatrix& a, const PackedMatrix& b,
                         const std::vector<uint32_t>& c = {}) {
    const auto outputs = static_cast<size_t>(a.rows * b.rows);
    // A pattern that no result has, so that an output never written shows.
    std::vector<uint32_t> hardware(outputs, 0x7FDEAD00);
    std::vector<uint32_t> golden(outputs);
    const uint32_t* start = c.empty() ? nullptr : c.data();
    const CycleCounts cycles = bench.run({&a, &b, start, hardware.data()});
    reference_gemm(a, b, Accumulation::kFp32Rne, start, golden.data(), 1);
    EXPECT_EQ(hardware, golden);
    return cycles;
  }

  static void check(CoreBench& bench, const PackedMatrix& a, const PackedMatrix& b,
                    const std::vector<uint32_t>& c = {}) {
    const CycleCounts cycles = run(bench, a, b, c);
    const CycleCounts expected = gemm_cycles(bench.description(), a.rows, b.rows, a.k);
    EXPECT_EQ(cycles.busy, expected.busy);
    EXPECT_EQ(cycles.fill, expected.fill);
    EXPECT_EQ(cycles.drain, expected.drain);
    EXPECT_EQ(cycles.stall, expected.stall);
  }

  std::mt19937 random{10};
};

TEST_F(CoreBenchTest, OddShapesInEveryFormatAreRightInValuesAndCycles) {
  CoreBench bench("bench", kDefaultCore);
  constexpr std::array<Shape, 9> kShapes{{{5, 17, 97},
                                          {1, 1, 1},
                                          {1, 40, 65},
                                          {16, 16, 64},
                                          {17, 16, 64},
                                          {16, 33, 128},
                                          {48, 16, 31},
                                          {3, 5, 320},
                                          {33, 31, 193}}};
  for (const BlockFormat& format : all_formats()) {
    for (const Shape& shape : kShapes) {
      SCOPED_TRACE(testing::Message()
                   << "block " << format.block << ", " << scale_name(format.scale) << ", "
                   << shape.m << "x" << shape.n << "x" << shape.k);
      check(bench, random_matrix(format, shape.m, shape.k, random),
            random_matrix(format, shape.n, shape.k, random));
    }
  }
}

TEST_F(CoreBenchTest, CyclesOfSmallGemmsAreTheOnesWorkedByHand) {
  // docs/cycles.md works these.
  CoreBench bench("bench", kDefaultCore);
  EXPECT_EQ(run(bench, random_matrix(kMxfp4, 1, 1, random), random_matrix(kMxfp4, 1, 1, random)),
            (CycleCounts{1, 2, 2, 0}));
  EXPECT_EQ(run(bench, random_matrix(kMxfp4, 5, 97, random), random_matrix(kMxfp4, 17, 97, random)),
            (CycleCounts{4, 2, 2, 0}));
  EXPECT_EQ(run(bench, random_matrix(kHif4, 33, 65, random), random_matrix(kHif4, 16, 65, random)),
            (CycleCounts{6, 2, 2, 0}));
}

TEST_F(CoreBenchTest, WholeRangeOfScales) {
  CoreBench bench("bench", kDefaultCore);
  for (const BlockFormat& format : all_formats()) {
    check(bench, random_matrix(format, 40, 200, random, Scales::kAnyFinite),
          random_matrix(format, 40, 200, random, Scales::kAnyFinite));
  }
}

TEST_F(CoreBenchTest, ZeroBlocksAndNanScales) {
  CoreBench bench("bench", kDefaultCore);
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    PackedMatrix a = random_matrix(format, 20, 160, random);
    const PackedMatrix b = random_matrix(format, 20, 160, random);
    // Row 3 is zero throughout, row 4 has one zero block.
    std::fill_n(a.row_codes(3), a.code_stride(), uint8_t{0});
    std::fill_n(a.row_codes(4), format.block / 2, uint8_t{0});
    // The last block of row 7 is NaN, over zero codes in row 8.
    const uint8_t nan = format.scale == ScaleKind::kUe4m3 ? 0x7F : 0xFF;
    a.row_scales(7)[a.scale_stride() - format.scale_bytes()] = nan;
    a.row_scales(8)[0] = nan;
    std::fill_n(a.row_codes(8), a.code_stride(), uint8_t{0});
    check(bench, a, b);
    std::vector<uint32_t> d(400);
    bench.run({&a, &b, nullptr, d.data()});
    for (size_t j = 0; j < 20; ++j) {
      EXPECT_EQ(d[size_t{3} * 20 + j], 0U);
      EXPECT_EQ(d[size_t{7} * 20 + j], 0x7FC00000U);
      EXPECT_EQ(d[size_t{8} * 20 + j], 0x7FC00000U);
    }
  }
}

TEST_F(CoreBenchTest, AccumulatorsStartFromC) {
  CoreBench bench("bench", kDefaultCore);
  constexpr std::array<uint32_t, 10> kStarts{0x00000000, 0x80000000, 0x00000001, 0x807FFFFF,
                                             0x3F800000, 0x7F7FFFFF, 0x7F800000, 0xFF800000,
                                             0x7F800001, 0xC2FFFFFF};
  std::vector<uint32_t> c(size_t{19} * 23);
  for (size_t i = 0; i < c.size(); ++i) {
    c[i] = kStarts[i % kStarts.size()];
  }
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    check(bench, random_matrix(format, 19, 130, random), random_matrix(format, 23, 130, random), c);
  }
}

TEST_F(CoreBenchTest, TheStorePathMultipliesByTheTensorScales) {
  CoreBench bench("bench", kDefaultCore);
  PackedMatrix a = random_matrix(kNvfp4, 18, 96, random);
  PackedMatrix b = random_matrix(kNvfp4, 18, 96, random);
  for (const float scale : {0.0123F, 1e-38F, 3e20F, -1.0F / 3}) {
    a.tensor_scale = scale;
    b.tensor_scale = 1.7F;
    check(bench, a, b);
  }
}

TEST_F(CoreBenchTest, OtherCoreShapes) {
  constexpr CoreDescription kTall{"tall", 8, 4, 128, "test"};
  CoreBench bench("bench", kTall);
  for (const BlockFormat& format : all_formats()) {
    check(bench, random_matrix(format, 21, 300, random), random_matrix(format, 9, 300, random));
  }
}

TEST_F(CoreBenchTest, EveryTargetOnCoresThatFillNoWholeGroupOfLanes) {
  constexpr std::array<CoreDescription, 3> kShapes{
      {{"narrow", 16, 5, 64, "test"}, {"wide", 5, 17, 64, "test"}, {"large", 20, 40, 128, "test"}}};
  std::vector<std::unique_ptr<CoreBench>> benches;  // all before the simulation begins
  for (const hw::SimdTarget target : test::available_targets()) {
    for (const CoreDescription& core : kShapes) {
      const std::string name = "bench" + std::to_string(benches.size());
      benches.push_back(std::make_unique<CoreBench>(name.c_str(), core, target));
    }
  }
  for (const auto& bench : benches) {
    for (const BlockFormat& format : all_formats()) {
      check(*bench, random_matrix(format, 43, 300, random, Scales::kAnyFinite),
            random_matrix(format, 45, 300, random, Scales::kAnyFinite));
    }
  }
}

TEST_F(CoreBenchTest, BackPressureStallsButNeverChangesBits) {
  CoreBench bench("bench", kDefaultCore);
  int64_t stalls = 0;
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    bench.core().throttle(seed, 0.05 * seed);
    const BlockFormat format = kBlockFormats[seed % 3];
    const PackedMatrix a = random_matrix(format, 50, 150, random);
    const PackedMatrix b = random_matrix(format, 35, 150, random);
    const CycleCounts cycles = run(bench, a, b);
    EXPECT_EQ(cycles.busy, gemm_steps(bench.description(), 50, 35, 150));
    stalls += cycles.stall;
  }
  EXPECT_GT(stalls, 100);
}

TEST_F(CoreBenchTest, AResetInMidRunLeavesNoTrace) {
  CoreBench bench("bench", kDefaultCore);
  const PackedMatrix a = random_matrix(kMxfp4, 50, 200, random);
  const PackedMatrix b = random_matrix(kMxfp4, 50, 200, random);
  std::vector<uint32_t> scratch(2500);
  for (const int64_t cycles : {0, 1, 2, 3, 4, 7, 20, 63}) {
    bench.run_and_reset({&a, &b, nullptr, scratch.data()}, cycles);
    check(bench, a, b);
    const PackedMatrix other = random_matrix(kHif4, 20, 100, random);
    check(bench, other, other);
  }
}

TEST_F(CoreBenchTest, UnfitOperandsAreRefused) {
  constexpr CoreDescription kShallow{"shallow", 4, 4, 32, "test"};
  CoreBench bench("bench", kShallow);
  const PackedMatrix a = random_matrix(kMxfp4, 4, 64, random);
  const PackedMatrix longer = random_matrix(kMxfp4, 4, 96, random);
  const PackedMatrix hif4 = random_matrix(kHif4, 4, 64, random);
  const PackedMatrix nvfp4 = random_matrix(kNvfp4, 4, 64, random);
  const PackedMatrix empty = random_matrix(kMxfp4, 0, 64, random);
  std::vector<uint32_t> d(16);
  EXPECT_THROW(bench.run({&a, &longer, nullptr, d.data()}), InputError);
  EXPECT_THROW(bench.run({&a, &nvfp4, nullptr, d.data()}), InputError);
  EXPECT_THROW(bench.run({&hif4, &hif4, nullptr, d.data()}), InputError) << "depth 32, block 64";
  EXPECT_THROW(bench.run({&a, &empty, nullptr, d.data()}), InputError);
}

TEST_F(CoreBenchTest, WaveformIsWholeAndNamesTheSignals) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "nibblecore_core_bench_test.vcd";
  CoreBench bench("bench", kDefaultCore);
  {
    Waveform waveform(path);
    bench.trace(waveform.file());
    const PackedMatrix a = random_matrix(kHif4, 20, 200, random);
    check(bench, a, a);
    EXPECT_FALSE(std::filesystem::exists(path)) << "in place only when whole";
    waveform.close();
  }
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  std::filesystem::remove(path);
  for (const char* word : {"$timescale", "$enddefinitions", "register0", "occupancy", "k_step",
                           "lane0_sum", "lane0_exponent", "stored_tiles", "clock", "reset_n"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
  EXPECT_GT(std::count(text.begin(), text.end(), '#'), 20) << "changes over time";
}

}  // namespace
}  // namespace nibblecore::tb
