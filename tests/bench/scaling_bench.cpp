// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/scaling_bench.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <random>
#include <string>

#include "model/common/error.hpp"
#include "model/emulate/gemm.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/paired_rates.hpp"
#include "tests/support/random_matrix.hpp"

namespace nibblecore::bench {
namespace {

constexpr int64_t kOther = 768;  // the sizes that stay
constexpr std::array<int64_t, 7> kSizes{192, 384, 768, 1536, 3072, 6144, 12288};
constexpr int64_t kMiddle = 1536;

struct Shape {
  int64_t m = kOther;
  int64_t n = kOther;
  int64_t k = kOther;
};

/// A GEMM of random operands, as often in a call as the largest of its series takes.
Contender gemm_of(const std::string& name, const Shape& shape) {
  std::mt19937 random(1);
  const PackedMatrix a = test::random_matrix(kMxfp4, shape.m, shape.k, random);
  const PackedMatrix b = test::random_matrix(kMxfp4, shape.n, shape.k, random);
  std::vector<uint32_t> d(static_cast<size_t>(shape.m * shape.n));
  const double products =
      static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
  const int64_t times = std::max<int64_t>(1, static_cast<int64_t>(4e9 / products));
  return {name, products * static_cast<double>(times), timed([=]() mutable {
            for (int64_t i = 0; i < times; ++i) {
              emulate_gemm(a, b, Accumulation::kFp32Rne, nullptr, d.data(), 1);
            }
          })};
}

std::vector<BenchmarkRow> series(int repetitions, const std::string& name,
                                 int64_t Shape::*dimension) {
  const auto shape_of = [&](int64_t size) {
    Shape shape;
    shape.*dimension = size;
    return shape;
  };
  std::vector<Contender> contenders;
  contenders.reserve(kSizes.size());
  for (const int64_t size : kSizes) {
    contenders.push_back(
        gemm_of("gemm_time_vs_" + name + "_" + std::to_string(size), shape_of(size)));
  }
  const Contender middle =
      gemm_of("the same GEMM where that size is " + std::to_string(kMiddle), shape_of(kMiddle));
  std::vector<BenchmarkRow> rows = paired_rows(repetitions, middle, contenders, "MAC/s");
  double worst = 0;
  for (const BenchmarkRow& row : rows) {
    worst = std::max(worst, 1 / row.ratio);
  }
  rows.push_back({"gemm_time_vs_" + name, worst, "ratio",
                  "worst time a MAC over " + std::to_string(kSizes.front()) + " to " +
                      std::to_string(kSizes.back()) + " against that at " + std::to_string(kMiddle),
                  worst});
  return rows;
}

/// The greatest number of resident bytes that this process has had.
int64_t peak_resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      int64_t kibibytes = 0;
      status >> kibibytes;
      return kibibytes * 1024;
    }
  }
  throw InternalError("the system tells no peak of memory");
}

int64_t child_peak(int64_t size) {
  const ChildProcess child({"--memory-child", std::to_string(size)}, {});
  return std::stoll(child.ask());
}

}  // namespace

std::vector<BenchmarkRow> measure_scaling(int repetitions) {
  std::vector<BenchmarkRow> rows = series(repetitions, "m", &Shape::m);
  for (const BenchmarkRow& row : series(repetitions, "n", &Shape::n)) {
    rows.push_back(row);
  }
  for (const BenchmarkRow& row : series(repetitions, "k", &Shape::k)) {
    rows.push_back(row);
  }
  return rows;
}

std::vector<BenchmarkRow> measure_memory() {
  std::vector<BenchmarkRow> rows;
  const auto base = static_cast<double>(child_peak(0));
  for (const int64_t size : {int64_t{2048}, int64_t{4096}, int64_t{8192}}) {
    const auto elements = static_cast<double>(size * size);
    // Codes and scales of both operands, FP32 results; bytes and scales (4 + 8 bytes a block)
    // where operands are decoded whole.
    const double decoded = best_emulator_target() == EmulatorTarget::kAmx ? 0.0 : 2.0 + 12.0 / 32;
    const double expected = elements * (2 * 0.5 + 2.0 / 32 + decoded + 4.0);
    const double used = static_cast<double>(child_peak(size)) - base;
    rows.push_back({"gemm_peak_memory_" + std::to_string(size), used, "B",
                    "operands, what they are decoded to, and result: " +
                        std::to_string(static_cast<int64_t>(expected)) + " B",
                    used / expected});
  }
  return rows;
}

int run_memory_child(int64_t size) {
  while (wait_for_question()) {
    if (size > 0) {
      std::mt19937 random(1);
      const PackedMatrix a = test::random_matrix(kMxfp4, size, size, random);
      const PackedMatrix b = test::random_matrix(kMxfp4, size, size, random);
      std::vector<uint32_t> d(static_cast<size_t>(size * size));
      emulate_gemm(a, b, Accumulation::kFp32Rne, nullptr, d.data(), 1);
    }
    answer(std::to_string(peak_resident_bytes()));
  }
  return 0;
}

}  // namespace nibblecore::bench
