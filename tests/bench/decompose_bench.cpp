// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/decompose_bench.hpp"

#include <random>
#include <string>

#include "model/analysis/decompose.hpp"
#include "model/common/error.hpp"
#include "model/quantize/quantize.hpp"

namespace nibblecore::bench {
namespace {

constexpr int64_t kSize = 4096;
constexpr int kThreads = 2;

}  // namespace

std::vector<BenchmarkRow> measure_decomposition(int repetitions) {
  std::mt19937 random(4096);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<size_t>(kSize * kSize));
  for (float& value : values) {
    value = normal(random);
  }
  const MatrixView view = row_major_view(values.data(), kSize, kSize);
  std::vector<BenchmarkRow> rows;
  for (const BlockFormat& format : kBlockFormats) {
    const Preset& by = preset(format, "");
    const auto work = static_cast<double>(kSize * kSize);
    const auto decomposed = [&] {
      if (decompose(view, by, kThreads).elements != kSize * kSize) {
        throw InternalError("the decomposition left elements out");
      }
    };
    const auto quantized = [&] { quantize(view, by, kThreads); };
    const std::vector<double> rates =
        median_rates(repetitions, {{work, decomposed}, {work, quantized}});
    rows.push_back({"decompose_4096 " + std::string(format.name), rates[0], "values/s",
                    "golden quantizer alone; ratio: time over its time", rates[1] / rates[0]});
  }
  return rows;
}

}  // namespace nibblecore::bench
