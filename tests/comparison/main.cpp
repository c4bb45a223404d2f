// SPDX-License-Identifier: Apache-2.0
// Emulator against golden reference, bit for bit, on random GEMMs of every policy.
#include <cstdio>
#include <exception>
#include <string>

#include <CLI/CLI.hpp>

#include "tests/comparison/compare_policy.hpp"

namespace nibblecore::comparison {
namespace {

void print_heading() {
  std::printf("| policy | outputs | mean K |");
  for (const EmulatorTargetRecord& record : kEmulatorTargets) {
    std::printf(" %s |", record.name.data());
  }
  std::printf(
      " of these in BF16 tiles | NaN | inf | subnormal | +0 | -0 | alignment loss | result loss | "
      "mismatches |\n|---|");
  for (size_t i = 0; i < kEmulatorTargets.size() + 11; ++i) {
    std::printf("--:|");
  }
  std::printf("\n");
}

/// With a comma between thousands, as docs/results.md has it.
std::string grouped(int64_t number) {
  std::string text = std::to_string(number);
  for (auto end = static_cast<int64_t>(text.size()) - 3; end > 0; end -= 3) {
    text.insert(static_cast<size_t>(end), 1, ',');
  }
  return text;
}

void print(Accumulation policy, const Census& census) {
  std::printf("| `%s` | %s | %.1f |", name_of(policy).data(), grouped(census.outputs).c_str(),
              census.mean_k());
  for (const int64_t outputs : census.of_target) {
    std::printf(" %s |", grouped(outputs).c_str());
  }
  for (const int64_t number :
       {census.in_bf16, census.nan, census.infinite, census.subnormal, census.plus_zero,
        census.minus_zero, census.alignment_losses, census.result_losses, census.mismatches}) {
    std::printf(" %s |", grouped(number).c_str());
  }
  std::printf("\n");
  std::fflush(stdout);
}

/// Whether all results are equal and, of enough outputs, every kind of result has occurred.
bool holds(Accumulation policy, const Census& census) {
  constexpr int64_t enough = 1000000;
  bool passed = census.mismatches == 0;
  if (census.outputs >= enough) {
    for (const std::string& name : census.missing(policy)) {
      std::fprintf(stderr, "%s: too few results of the kind '%s'\n", name_of(policy).data(),
                   name.c_str());
      passed = false;
    }
  }
  return passed;
}

int run(int argc, char** argv) {
  CLI::App app("Compares the emulator with the golden reference on random GEMMs",
               "nibblecore_comparison");
  int64_t outputs = 100000000;
  uint64_t seed = 1;
  int threads = 0;
  std::string only;
  int64_t only_case = -1;
  std::string alter;
  app.add_option("--outputs", outputs, "Outputs of each policy, at least")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seed", seed, "Of the random GEMMs")->capture_default_str();
  app.add_option("--threads", threads, "0: one per processor")->capture_default_str();
  app.add_option("--policy", only, "This policy alone");
  app.add_option("--case", only_case, "This GEMM alone, as a mismatch names it")
      ->check(CLI::NonNegativeNumber);
  // To see that it is found; not for use.
  app.add_option("--alter", alter)->check(CLI::IsMember({"result", "loss"}))->group("");
  CLI11_PARSE(app, argc, argv);
  if (!only.empty()) {
    accumulation(only);
  }
  ComparisonPlan plan;
  plan.outputs = outputs;
  plan.seed = seed;
  plan.threads = threads;
  plan.alteration = alter == "result" ? Alteration::kResult
                    : alter == "loss" ? Alteration::kLoss
                                      : Alteration::kNone;
  if (only_case >= 0) {
    plan.only_case = only_case;
  }
  print_heading();
  bool passed = true;
  for (const AccumulationRecord& record : kAccumulations) {
    if (only.empty() || only == record.name) {
      plan.policy = record.accumulation;
      const Census census = compare_policy(plan);
      print(record.accumulation, census);
      passed = holds(record.accumulation, census) && passed;
    }
  }
  return passed ? 0 : 1;
}

}  // namespace
}  // namespace nibblecore::comparison

int main(int argc, char** argv) {
  try {
    return nibblecore::comparison::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nibblecore_comparison: %s\n", error.what());
    return 2;
  }
}
