// SPDX-License-Identifier: Apache-2.0
// The emulated quantizers on the inputs of the golden vectors: categories chosen for what
// quantizers get wrong.
#include <vector>

#include <gtest/gtest.h>

#include "model/emulate/quantize.hpp"
#include "tests/unit/emulate/quantize_cases.hpp"
#include "tests/unit/quantize/vectors.hpp"

namespace nibblecore {
namespace {

struct Inputs {
  const char* file;
  int64_t k;
};

class QuantizeVectors : public testing::TestWithParam<Inputs> {};

TEST_P(QuantizeVectors, EveryRowAsGolden) {
  const std::vector<uint32_t> x = vector_tensor<uint32_t>(GetParam().file, "x");
  const int64_t k = GetParam().k;
  const int64_t rows = static_cast<int64_t>(x.size()) / k;
  ASSERT_GT(rows, 1000);
  for (const Preset& preset : emulated_presets()) {
    expect_golden(view_of(x, rows, k), preset);
  }
  for (int64_t row = 0; row < rows; ++row) {
    // Under a tensor scale of its own.
    expect_golden({x.data() + row * k, ValueType::kF32, 1, k, k, 1}, preset(kNvfp4, ""));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, QuantizeVectors,
                         testing::Values(Inputs{"mxfp4/inputs", 32}, Inputs{"hif4/inputs", 64},
                                         Inputs{"nvfp4/ggml_nvfp4", 64}));

}  // namespace
}  // namespace nibblecore
