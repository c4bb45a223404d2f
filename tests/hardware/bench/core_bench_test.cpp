// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/core_bench.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "model/common/error.hpp"
#include "model/machine/tiler.hpp"
#include "tb/bench/waveform.hpp"
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
using test::small_machine;

class CoreBenchTest : public test::SimulationTest {
 protected:
  std::mt19937 random{10};
};

TEST_F(CoreBenchTest, AnyGemmsFollowEachOtherOnOneBench) {
  Machine machine = small_machine();
  // A mask takes two tiles of rows, each output up to four numbers.
  machine.l0c_bytes *= 2;
  CoreBench bench("bench", machine);
  for (int i = 0; i < 60; ++i) {
    RandomProgram configuration = random_program(random, {4, 6});
    GemmSpec spec = configuration.spec;
    spec.m += int64_t{20} * (i % 3);
    if (spec.macro_length % bench.machine().core.depth != 0) {
      spec.macro_length = 0;
      spec.a_has_factors = spec.b_has_factors = false;
    }
    SCOPED_TRACE(testing::Message() << i << ": " << configuration.text());
    RandomGemm gemm(spec, preset(spec.format, ""), random);
    run_checked(bench, choose_program(bench.machine(), spec), gemm);
    bench.idle(i % 4);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(CoreBenchTest, TheSameGemmAgainIsTheSame) {
  CoreBench bench("bench", small_machine());
  PackedGemm gemm(random_matrix(kHif4, 60, 200, random), random_matrix(kHif4, 50, 200, random));
  const Program program = choose_program(bench.machine(), gemm.spec());
  const CycleReport first = run_checked(bench, program, gemm);
  EXPECT_TRUE(run_checked(bench, program, gemm) == first);
}

TEST_F(CoreBenchTest, OperandsThatAreNotTheProgramsAreRefused) {
  CoreBench bench("bench", small_machine());
  PackedGemm gemm(random_matrix(kMxfp4, 4, 64, random), random_matrix(kMxfp4, 5, 64, random));
  const auto refuses = [&](GemmSpec spec) {
    EXPECT_THROW(bench.run(choose_program(bench.machine(), spec), gemm.gemm()), InternalError);
  };
  const auto changed = [&](auto change) {
    GemmSpec spec = gemm.spec();
    change(spec);
    return spec;
  };
  refuses(changed([](GemmSpec& spec) { spec.m = 5; }));
  refuses(changed([](GemmSpec& spec) { spec.n = 4; }));
  refuses(changed([](GemmSpec& spec) { spec.k = 65; }));
  refuses(changed([](GemmSpec& spec) { spec.start = Start::kFromMemory; }));
  refuses(changed([](GemmSpec& spec) { spec.a = OperandPath::kOnlineBf16; }));
  refuses(changed([](GemmSpec& spec) { spec.b = OperandPath::kOnlineFp32; }));
  run_checked(bench, choose_program(bench.machine(), gemm.spec()), gemm);
}

TEST_F(CoreBenchTest, WaveformIsWholeAndNamesTheSignals) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "nibblecore_core_bench_test.vcd";
  CoreBench bench("bench", small_machine());
  {
    Waveform waveform(path);
    bench.trace(waveform.file());
    PackedGemm gemm(random_matrix(kHif4, 20, 200, random), random_matrix(kHif4, 20, 200, random));
    run_checked(bench, choose_program(bench.machine(), gemm.spec()), gemm);
    EXPECT_FALSE(std::filesystem::exists(path)) << "in place only when whole";
    waveform.close();
  }
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  std::filesystem::remove(path);
  for (const char* word :
       {"$timescale", "$enddefinitions", "occupancy", "tile_row", "issued", "loaded_bytes",
        "stored_bytes", "lane0_sum", "clock", "reset_n", "done", "cycle"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
  EXPECT_GT(std::count(text.begin(), text.end(), '#'), 20) << "changes over time";
}

}  // namespace
}  // namespace nibblecore::tb
