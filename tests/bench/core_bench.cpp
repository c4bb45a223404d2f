// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/core_bench.hpp"

#include <random>

#include <fmt/core.h>

#include "model/common/error.hpp"
#include "model/machine/cycle_model.hpp"
#include "model/reference/gemm.hpp"
#include "tb/bench/core_bench.hpp"
#include "tests/bench/datapath_alone.hpp"
#include "tests/bench/empty_design.hpp"
#include "tests/support/random_matrix.hpp"

namespace nibblecore::bench {
namespace {

constexpr int64_t kSize = 512;  // M, N and K of the GEMM: 8192 steps

/// Every design runs in a simulation of its own, so that no clock but its own ticks.
void begin_simulation() { sc_core::sc_curr_simcontext = nullptr; }

struct Problem {
  PackedMatrix a;
  PackedMatrix b;
  std::vector<uint32_t> expected;

  Problem(const BlockFormat& format, std::mt19937& random)
      : a(test::random_matrix(format, kSize, kSize, random)),
        b(test::random_matrix(format, kSize, kSize, random)),
        expected(kSize * kSize) {
    reference_gemm(a, b, Accumulation::kFp32Rne, nullptr, expected.data(), 1);
  }
};

double kernel_rate(int repetitions) {
  constexpr int64_t kCycles = 20'000;
  begin_simulation();
  const EmptyDesign design("empty");
  return median_rates(repetitions, {{kCycles, [] { EmptyDesign::run(kCycles); }}}).front();
}

struct Rates {
  double core;
  double datapath;
};

Rates core_rates(const Problem& problem, hw::SimdTarget target, int repetitions,
                 std::mt19937& random) {
  begin_simulation();
  tb::CoreBench bench("bench", kDefaultCore, target);
  DatapathAlone datapath(kDefaultCore, problem.a.format, target, random);
  std::vector<uint32_t> d(problem.expected.size());
  const int64_t steps = gemm_steps(bench.description(), kSize, kSize, kSize);
  const auto work = static_cast<double>(steps);
  const std::vector<double> rates =
      median_rates(repetitions, {{work,
                                  [&] {
                                    bench.run({&problem.a, &problem.b, nullptr, d.data()});
                                  }},
                                 {work, [&] { datapath.run(steps); }}});
  if (d != problem.expected) {
    throw InternalError("the core's results differ from the reference");
  }
  return {rates[0], rates[1]};
}

}  // namespace

std::vector<BenchmarkRow> measure_core(int repetitions) {
  std::mt19937 random(1);
  std::vector<BenchmarkRow> rows;
  for (const BlockFormat& format : kBlockFormats) {
    const Problem problem(format, random);
    double baseline = 0;
    for (const hw::SimdTarget target : hw::kSimdTargets) {
      if (!hw::is_available(target)) {
        continue;
      }
      const std::string name = fmt::format("{} {}", format.name, hw::simd_target_name(target));
      const double kernel = kernel_rate(repetitions);
      const Rates rates = core_rates(problem, target, repetitions, random);
      const double limit = 1 / (1 / kernel + 1 / rates.datapath);
      baseline = target == hw::SimdTarget::kBaseline ? rates.datapath : baseline;
      rows.push_back({"core " + name, rates.core, "steps/s",
                      fmt::format("kernel ({:.0f}) and datapath alone: {:.0f}", kernel, limit),
                      rates.core / limit});
      rows.push_back({"datapath " + name, rates.datapath, "steps/s",
                      fmt::format("its baseline: {:.0f}", baseline), rates.datapath / baseline});
    }
  }
  return rows;
}

}  // namespace nibblecore::bench
