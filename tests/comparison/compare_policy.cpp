// SPDX-License-Identifier: Apache-2.0
#include "tests/comparison/compare_policy.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include <unistd.h>

#include "model/common/parallel.hpp"
#include "model/emulate/emulated_gemm.hpp"
#include "model/reference/gemm.hpp"
#include "tests/comparison/comparison_case.hpp"

namespace nibblecore::comparison {
namespace {

// Cases between two looks at the number of outputs: few where few outputs are wanted.
constexpr int64_t kLargestBatch = 512;
constexpr int64_t kOutputsPerBatchCase = 20000;

std::vector<size_t> available_targets() {
  std::vector<size_t> targets;
  for (size_t i = 0; i < kEmulatorTargets.size(); ++i) {
    if (is_available(kEmulatorTargets.at(i).target)) {
      targets.push_back(i);
    }
  }
  return targets;
}

bool has_losses(int64_t number) { return number % 2 == 0; }

/// Lines on standard error from several threads, not more than a screen can show.
class MismatchPrinter {
 public:
  void print(const std::string& line) {
    constexpr int most = 20;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (lines_++ < most) {
      std::fprintf(stderr, "%s\n", line.c_str());
    }
  }

 private:
  std::mutex mutex_;
  int lines_ = 0;
};

/// Neighbouring cases must not draw the same numbers (the finaliser of SplitMix64).
uint64_t seed_of(uint64_t seed, int64_t number) {
  uint64_t mixed = seed + static_cast<uint64_t>(number) * 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

constexpr uint8_t kUnwrittenLoss = 0xFF;
constexpr uint32_t kUnwritten = 0x7FDEAD00;

struct Results {
  explicit Results(size_t outputs) : d(outputs, kUnwritten), losses(outputs, kUnwrittenLoss) {}
  std::vector<uint32_t> d;
  std::vector<uint8_t> losses;
  bool is_in_bf16 = false;
};

/// Neither what is in D before nor the number of threads may change a result, and without flags of
/// losses the kernels differ: half of the cases go without, some in place, some on two threads.
Results emulated_results(const ComparisonPlan& plan, const ComparisonCase& gemm, int64_t number,
                         EmulatorTarget target) {
  Results results(static_cast<size_t>(gemm.outputs()));
  const uint32_t* c = gemm.c();
  if (c != nullptr && number % 8 < 2) {
    std::copy_n(c, results.d.size(), results.d.data());
    c = results.d.data();
  }
  const int threads = number % 16 < 14 ? 1 : 2;
  const EmulatedGemm emulated(gemm.a(), gemm.b(), plan.policy, threads, gemm.corrections(), target);
  emulated.run(c, results.d.data(), threads, has_losses(number) ? results.losses.data() : nullptr);
  results.is_in_bf16 = emulated.is_in_bf16();
  if (plan.alteration == Alteration::kResult && number == 1) {
    results.d.back() ^= 1;
  }
  if (plan.alteration == Alteration::kLoss && number == 0) {
    results.losses.back() ^= kAlignmentLoss;
  }
  return results;
}

Results golden_results(const ComparisonPlan& plan, const ComparisonCase& gemm) {
  Results results(static_cast<size_t>(gemm.outputs()));
  reference_gemm(gemm.a(), gemm.b(), plan.policy, gemm.c(), results.d.data(), 1, gemm.corrections(),
                 results.losses.data());
  return results;
}

Census compare_case(const ComparisonPlan& plan, int64_t number, size_t target,
                    MismatchPrinter& printer) {
  const ComparisonCase gemm(plan.policy, seed_of(plan.seed, number));
  const Results golden = golden_results(plan, gemm);
  const Results emulated = emulated_results(plan, gemm, number, kEmulatorTargets.at(target).target);
  Census census;
  for (size_t i = 0; i < golden.d.size(); ++i) {
    census.count(golden.d[i], golden.losses[i]);
    const bool differs = golden.d[i] != emulated.d[i] ||
                         (has_losses(number) && golden.losses[i] != emulated.losses[i]);
    if (differs && census.mismatches++ == 0) {
      std::array<char, 120> text{};
      const auto emulated_losses = std::to_string(emulated.losses[i]);
      std::snprintf(text.data(), text.size(),
                    "output %zu is %08X, golden %08X (losses %s, golden %d)", i, emulated.d[i],
                    golden.d[i], has_losses(number) ? emulated_losses.c_str() : "not asked for",
                    golden.losses[i]);
      printer.print("--policy " + std::string(name_of(plan.policy)) + " --seed " +
                    std::to_string(plan.seed) + " --case " + std::to_string(number) + ": " +
                    gemm.description() + " on " + std::string(kEmulatorTargets.at(target).name) +
                    ": " + text.data());
    }
  }
  census.k_sum = gemm.a().k * gemm.outputs();
  census.of_target.at(target) = gemm.outputs();
  census.in_bf16 = emulated.is_in_bf16 ? gemm.outputs() : 0;
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
  MismatchPrinter printer;
  const auto compare = [&](int64_t number) {
    const size_t target = targets.at(static_cast<size_t>(number) / 2 % targets.size());
    return compare_case(plan, number, target, printer);
  };
  if (plan.only_case) {
    return compare(*plan.only_case);
  }
  const Progress progress(plan);
  const int64_t batch = std::clamp(plan.outputs / kOutputsPerBatchCase, int64_t{2}, kLargestBatch);
  Census census;
  std::mutex mutex;
  for (int64_t first = 0; census.outputs < plan.outputs; first += batch) {
    parallel_for(batch, 1, plan.threads, [&](int64_t begin, int64_t end) {
      for (int64_t number = first + begin; number < first + end; ++number) {
        const Census one = compare(number);
        const std::lock_guard<std::mutex> lock(mutex);
        census.add(one);
      }
    });
    progress.show(census.outputs);
  }
  return census;
}

}  // namespace nibblecore::comparison
