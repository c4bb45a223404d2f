// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/whole_gemm.hpp"

#include <chrono>
#include <random>

#include "model/common/error.hpp"
#include "model/emulate/gemm.hpp"
#include "model/machine/machine_file.hpp"
#include "model/machine/program_cycles.hpp"
#include "model/machine/tiler.hpp"
#include "model/reference/gemm.hpp"
#include "tb/bench/core_bench.hpp"
#include "tests/support/random_matrix.hpp"

namespace nibblecore::bench {
namespace {

constexpr int64_t kSize = 4096;
constexpr int64_t kSampleRows = 4;
constexpr double kCycleLimit = 60.0;    // seconds
constexpr double kTimingLimit = 0.010;  // seconds

template <class Work>
double seconds_of(const Work& work) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Some whole rows of the result, which the seed picks, against the golden reference.
void require_golden_rows(const PackedMatrix& a, const PackedMatrix& b,
                         const std::vector<uint32_t>& d, std::mt19937& random) {
  for (int64_t i = 0; i < kSampleRows; ++i) {
    const auto row = static_cast<int64_t>(random() % kSize);
    PackedMatrix one = make_packed_matrix(a.format, 1, a.k);
    std::copy_n(a.row_codes(row), a.code_stride(), one.codes.begin());
    std::copy_n(a.row_scales(row), a.scale_stride(), one.scales.begin());
    std::vector<uint32_t> golden(kSize);
    reference_gemm(one, b, Accumulation::kFp32Rne, nullptr, golden.data(), 0);
    if (!std::equal(golden.begin(), golden.end(), d.begin() + row * kSize)) {
      throw InternalError("the core's results differ from the golden reference");
    }
  }
}

}  // namespace

std::vector<BenchmarkRow> measure_whole_gemm() {
  sc_core::sc_curr_simcontext = nullptr;
  std::mt19937 random(4096);
  const PackedMatrix a = test::random_matrix(kMxfp4, kSize, kSize, random);
  const PackedMatrix b = test::random_matrix(kMxfp4, kSize, kSize, random);
  const Machine machine = built_in_machines().front().machine;
  const GemmSpec spec{kSize, kSize, kSize, kMxfp4};
  CycleReport modelled;
  const double timing =
      seconds_of([&] { modelled = program_cycles(choose_program(machine, spec)); });

  tb::CoreBench bench("bench", machine);
  const Program program = choose_program(machine, spec);
  std::vector<uint32_t> d(static_cast<size_t>(kSize * kSize));
  CycleReport measured;
  const double cycle = seconds_of([&] {
    measured =
        bench.run(program, {tb::packed_operand(a), tb::packed_operand(b), nullptr, d.data()});
  });
  if (!(measured == modelled)) {
    throw InternalError("the core's cycles differ from the cycle model's");
  }
  std::vector<uint32_t> emulated(d.size());
  emulate_gemm(a, b, Accumulation::kFp32Rne, nullptr, emulated.data(), 0);
  if (d != emulated) {
    throw InternalError("the core's results differ from the emulator's");
  }
  require_golden_rows(a, b, d, random);
  return {{"gemm 4096 cycle", static_cast<double>(program.steps()) / cycle, "steps/s",
           "60 s for the whole GEMM; ratio: seconds taken over it", cycle / kCycleLimit},
          {"gemm 4096 timing", timing * 1e6, "us", "10 ms; ratio: time taken over it",
           timing / kTimingLimit}};
}

}  // namespace nibblecore::bench
