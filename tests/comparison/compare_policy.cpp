// SPDX-License-Identifier: Apache-2.0
#include "tests/comparison/compare_policy.hpp"

#include <chrono>
#include <cstdio>
#include <mutex>
#include <vector>

#include <unistd.h>

#include "model/common/parallel.hpp"
#include "model/emulate/gemm.hpp"
#include "model/reference/gemm.hpp"
#include "tests/comparison/comparison_case.hpp"

namespace nibblecore::comparison {
namespace {

constexpr int64_t kBatch = 512;  // cases between two looks at the number of outputs

std::vector<size_t> available_targets() {
  std::vector<size_t> targets;
  for (size_t i = 0; i < kEmulatorTargets.size(); ++i) {
    if (is_available(kEmulatorTargets.at(i).target)) {
      targets.push_back(i);
    }
  }
  return targets;
}

/// Neighbouring cases must not draw the same numbers (the finaliser of SplitMix64).
uint64_t seed_of(uint64_t seed, int64_t number) {
  uint64_t mixed = seed + static_cast<uint64_t>(number) * 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

Census compare_case(const ComparisonPlan& plan, int64_t number, size_t target) {
  const uint64_t seed = seed_of(plan.seed, number);
  const ComparisonCase gemm(plan.policy, seed);
  const auto outputs = static_cast<size_t>(gemm.outputs());
  std::vector<uint32_t> golden(outputs);
  std::vector<uint32_t> emulated(outputs, 0x7FDEAD00);
  std::vector<uint8_t> golden_losses(outputs);
  std::vector<uint8_t> emulated_losses(outputs, 0xFF);
  reference_gemm(gemm.a(), gemm.b(), plan.policy, gemm.c(), golden.data(), 1, gemm.corrections(),
                 golden_losses.data());
  EmulatorOptions options;
  options.target = kEmulatorTargets.at(target).target;
  // Without flags the kernels differ: half of the cases go without.
  const bool has_losses = number % 2 == 0;
  options.truncation = has_losses ? emulated_losses.data() : nullptr;
  emulate_gemm(gemm.a(), gemm.b(), plan.policy, gemm.c(), emulated.data(), 1, gemm.corrections(),
               options);
  if (plan.alteration == Alteration::kOneBit && number == 1) {
    emulated.back() ^= 1;
  }
  Census census;
  for (size_t i = 0; i < outputs; ++i) {
    census.count(golden[i], golden_losses[i]);
    const bool differs =
        golden[i] != emulated[i] || (has_losses && golden_losses[i] != emulated_losses[i]);
    if (differs && census.mismatches++ == 0) {
      std::fprintf(
          stderr,
          "%s, case %lld (seed %llu), %s on %s: output %zu is %08X (%d), golden %08X (%d)\n",
          name_of(plan.policy).data(), static_cast<long long>(number),
          static_cast<unsigned long long>(seed), gemm.description().c_str(),
          kEmulatorTargets.at(target).name.data(), i, emulated[i], emulated_losses[i], golden[i],
          golden_losses[i]);
    }
  }
  census.k_sum = gemm.a().k * gemm.outputs();
  census.of_target.at(target) = gemm.outputs();
  return census;
}

class Progress {
 public:
  explicit Progress(const ComparisonPlan& plan) : plan_(plan) {}

  void show(int64_t outputs) const {
    if (isatty(STDERR_FILENO) == 0) {
      return;
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double rate = static_cast<double>(outputs) / seconds;
    std::fprintf(stderr, "\r%s: %.1f M of %.1f M outputs, %.2f M/s, %.0f s left   ",
                 name_of(plan_.policy).data(), static_cast<double>(outputs) * 1e-6,
                 static_cast<double>(plan_.outputs) * 1e-6, rate * 1e-6,
                 static_cast<double>(plan_.outputs - outputs) / rate);
    if (outputs >= plan_.outputs) {
      std::fputc('\n', stderr);
    }
  }

 private:
  const ComparisonPlan& plan_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

Census compare_policy(const ComparisonPlan& plan) {
  const std::vector<size_t> targets = available_targets();
  const Progress progress(plan);
  Census census;
  std::mutex mutex;
  for (int64_t first = 0; census.outputs < plan.outputs; first += kBatch) {
    parallel_for(kBatch, 8, plan.threads, [&](int64_t begin, int64_t end) {
      for (int64_t i = first + begin; i < first + end; ++i) {
        const size_t target = targets.at(static_cast<size_t>(i) / 2 % targets.size());
        const Census one = compare_case(plan, i, target);
        const std::lock_guard<std::mutex> lock(mutex);
        census.add(one);
      }
    });
    progress.show(census.outputs);
  }
  return census;
}

}  // namespace nibblecore::comparison
