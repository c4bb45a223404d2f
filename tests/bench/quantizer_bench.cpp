// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/quantizer_bench.hpp"

#include <cstring>
#include <string>

#include "model/emulate/dequantize.hpp"
#include "model/emulate/quantize.hpp"
#include "tests/bench/paired_rates.hpp"
#include "tests/bench/sgemm_peer.hpp"

namespace nibblecore::bench {
namespace {

constexpr int64_t kSize = 4096;
constexpr double kBytes = double{kSize} * kSize * sizeof(float);

/// The upper halves: BF16 numbers, cut off.
std::vector<uint16_t> bf16_of(const std::vector<float>& values) {
  std::vector<uint16_t> halves(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, &values[i], sizeof bits);
    halves[i] = static_cast<uint16_t>(bits >> 16);
  }
  return halves;
}

}  // namespace

std::vector<BenchmarkRow> measure_quantizers(int repetitions) {
  const std::vector<float> values = gaussian(kSize, kSize, 7);
  const std::vector<uint16_t> halves = bf16_of(values);
  std::vector<float> copy(values.size());
  const MatrixView view = row_major_view(values.data(), kSize, kSize);
  const MatrixView bf16_view{halves.data(), ValueType::kBf16, kSize, kSize, kSize, 1};
  const auto copy_of = [&](const std::string& side, const void* from, double bytes) {
    return Contender{"memcpy of the " + side + ", one thread", bytes, timed([&copy, from, bytes] {
                       std::memcpy(copy.data(), from, static_cast<size_t>(bytes));
                     })};
  };
  std::vector<PackedMatrix> packed;
  for (const BlockFormat& format : kBlockFormats) {
    packed.push_back(emulate_quantize(view, preset(format, ""), 1));
  }
  std::vector<Contender> of_fp32;
  std::vector<Contender> of_bf16;
  for (PackedMatrix& matrix : packed) {
    const Preset& by = preset(matrix.format, "");
    const std::string name(matrix.format.name);
    of_fp32.push_back({"quantize_" + name + "_vs_memcpy", kBytes,
                       timed([&] { emulate_quantize(view, by, 1, matrix); })});
    of_bf16.push_back({"quantize_" + name + "_bf16_vs_memcpy", kBytes / 2,
                       timed([&] { emulate_quantize(bf16_view, by, 1, matrix); })});
    of_fp32.push_back({"dequantize_" + name + "_vs_memcpy", kBytes,
                       timed([&] { emulate_dequantize(matrix, copy.data(), 1); })});
  }
  std::vector<BenchmarkRow> rows =
      paired_rows(repetitions, copy_of("FP32 side", values.data(), kBytes), of_fp32, "B/s");
  for (const BenchmarkRow& row :
       paired_rows(repetitions, copy_of("BF16 input", halves.data(), kBytes / 2), of_bf16, "B/s")) {
    rows.push_back(row);
  }
  return rows;
}

}  // namespace nibblecore::bench
