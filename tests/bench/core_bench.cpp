// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/core_bench.hpp"

#include <random>

#include <fmt/core.h>

#include "model/common/error.hpp"
#include "model/machine/machine_file.hpp"
#include "model/machine/tiler.hpp"
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

/// The default machine with a memory and moves that never keep the array waiting.
Machine fed_from_buffers() {
  constexpr int64_t kPlenty = 1 << 20;
  Machine machine = built_in_machines().front().machine;
  machine.memory = {kPlenty, 1};
  machine.memory_latency = 0;
  machine.l1_to_l0a = {kPlenty, 1};
  machine.l1_to_l0b = {kPlenty, 1};
  return machine;
}

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
  const Machine machine = fed_from_buffers();
  tb::CoreBench bench("bench", machine, target);
  DatapathAlone datapath(machine.core, problem.a.format, target, random);
  std::vector<uint32_t> d(problem.expected.size());
  const Program program = choose_program(machine, {kSize, kSize, kSize, problem.a.format});
  const int64_t steps = program.steps();
  const auto work = static_cast<double>(steps);
  const std::vector<double> rates = median_rates(
      repetitions, {{work,
                     [&] {
                       bench.run(program, {tb::packed_operand(problem.a),
                                           tb::packed_operand(problem.b), nullptr, d.data()});
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
