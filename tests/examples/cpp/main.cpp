// SPDX-License-Identifier: Apache-2.0
// Quantizes two small matrices, multiplies them under two policies, and checks every bit.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

#include <nibblecore/nibblecore.hpp>

namespace nc = nibblecore::api;

namespace {

constexpr int64_t kM = 4;
constexpr int64_t kN = 6;
constexpr int64_t kK = 128;

std::vector<float> wave(int64_t rows, double frequency) {
  std::vector<float> values;
  for (int64_t i = 0; i < rows * kK; ++i) {
    // Eighths, so that the values are the same whatever computes the cosine.
    values.push_back(
        static_cast<float>(std::round(40 * std::cos(frequency * static_cast<double>(i))) / 8));
  }
  return values;
}

bool run() {
  const std::vector<float> activations = wave(kM, 0.37);
  const std::vector<float> weights = wave(kN, 1.1);
  const nibblecore::Preset& preset = nc::preset("mxfp4", "rceil");
  const auto a = nc::quantize(nc::fp32_matrix(activations.data(), kM, kK), preset);
  const auto b = nc::quantize(nc::fp32_matrix(weights.data(), kN, kK), preset);

  // The fast engine and the golden reference give the same bits under every policy.
  nc::GemmOptions golden;
  golden.engine = nc::Engine::kReference;
  bool equal = true;
  for (const char* const name : {"exact", "blackwell"}) {
    equal =
        equal && nc::gemm(a, b, nc::policy(name)) == nc::gemm(a, b, nc::policy(name), {}, golden);
  }

  // These sums are small multiples of 1/64, so that a plain loop over what the codes stand for is
  // exact too.
  const std::vector<float> x = nc::dequantize(a);
  const std::vector<float> y = nc::dequantize(b);
  const std::vector<float> d = nc::gemm(a, b, nc::policy("fp32-rne"));
  for (int64_t i = 0; i < kM * kN; ++i) {
    float sum = 0;
    for (int64_t k = 0; k < kK; ++k) {
      sum += x[static_cast<size_t>(i / kN * kK + k)] * y[static_cast<size_t>(i % kN * kK + k)];
    }
    equal = equal && sum == d[static_cast<size_t>(i)] && sum != 0;
  }

  // Operands that are multiplied several times are decoded once.
  const nc::Gemm product(a, b, nc::policy("fp32-rne"));
  std::vector<uint32_t> bits(d.size());
  product.run(nullptr, bits.data());
  product.run(bits.data(), bits.data());
  const uint32_t once = nc::dot(a, 1, b, 2, nc::policy("fp32-rne"));
  return equal && bits[kN + 2] == nc::dot(a, 1, b, 2, nc::policy("fp32-rne"), once);
}

}  // namespace

int main() {
  try {
    std::printf("nibblecore %s\n", nc::version().data());
    const bool equal = run();
    std::puts(equal ? "all bits as expected" : "bits differ");
    return equal ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
