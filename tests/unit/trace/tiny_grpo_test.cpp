// SPDX-License-Identifier: Apache-2.0
// A real trace, from its manifest to single elements; the totals were counted apart from this code.
#include <cstring>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "model/common/checked.hpp"
#include "model/trace/filter.hpp"
#include "model/trace/trace.hpp"

namespace nibblecore {
namespace {

std::filesystem::path tiny_grpo() {
  return std::filesystem::path(NIBBLECORE_TEST_DATA) / "tiny_grpo";
}

int count(const Trace& trace, const char* filter_text) {
  const Filter filter(filter_text);
  int matching = 0;
  for (const GemmRecord& record : trace.records()) {
    matching += filter.matches(record) ? 1 : 0;
  }
  return matching;
}

uint16_t stored_bf16(const Tensor& tensor, int64_t index) {
  uint16_t bits = 0;
  std::memcpy(&bits, tensor.data + index * 2, sizeof bits);
  return bits;
}

uint16_t viewed_bf16(const MatrixView& view, int64_t row, int64_t k) {
  uint16_t bits = 0;
  std::memcpy(
      &bits,
      static_cast<const std::byte*>(view.data) + (row * view.row_stride + k * view.k_stride) * 2,
      sizeof bits);
  return bits;
}

TEST(TinyGrpo, Totals) {
  const Trace trace(tiny_grpo());
  trace.validate();
  int quantized = 0;
  int64_t steps = 0;
  int64_t outputs = 0;
  int64_t macs = 0;
  for (const GemmRecord& record : trace.records()) {
    ASSERT_TRUE(record.has_operands()) << record.line;
    if (record.quantize) {
      ++quantized;
      steps += ceil_divide(record.m, 16) * ceil_divide(record.n, 16) * ceil_divide(record.k, 64);
      outputs += record.m * record.n;
      macs += record.macs();
    }
  }
  EXPECT_EQ(trace.records().size(), 232U);
  EXPECT_EQ(quantized, 224);
  EXPECT_EQ(steps, 69'120);
  EXPECT_EQ(outputs, 6'316'032);
  EXPECT_EQ(macs, 1'126'170'624);
}

TEST(TinyGrpo, FiltersSplitTheStep) {
  const Trace trace(tiny_grpo());
  EXPECT_EQ(count(trace, "phase=rollout"), 116);
  EXPECT_EQ(count(trace, "phase=rollout.decode"), 87);
  EXPECT_EQ(count(trace, "phase=logprob"), 29);
  EXPECT_EQ(count(trace, "gemm=wgrad"), 29);
  EXPECT_EQ(count(trace, R"(phase=train,gemm=dgrad,layer=layers\.[0,1]\.mlp)"), 6);
}

TEST(TinyGrpo, WgradOperandsAreTheTransposedTensors) {
  const Trace trace(tiny_grpo());
  int64_t compared = 0;
  for (const GemmRecord& record : trace.records()) {
    if (record.kind != GemmKind::kWgrad) {
      continue;
    }
    const SafetensorsFile file_a(tiny_grpo() / record.a->file);
    const SafetensorsFile file_b(tiny_grpo() / record.b->file);
    const Tensor& gradient = file_a.tensor(record.a->tensor);
    const Tensor& input = file_b.tensor(record.b->tensor);
    ASSERT_EQ(gradient.shape, (std::vector{record.k, record.m}));
    ASSERT_EQ(input.shape, (std::vector{record.k, record.n}));
    const Operands operands = trace.operands(record);
    int64_t differences = 0;
    for (int64_t k = 0; k < record.k; ++k) {
      for (int64_t m = 0; m < record.m; ++m, ++compared) {
        differences +=
            viewed_bf16(operands.a, m, k) != stored_bf16(gradient, k * record.m + m) ? 1 : 0;
      }
      for (int64_t n = 0; n < record.n; ++n, ++compared) {
        differences +=
            viewed_bf16(operands.b, n, k) != stored_bf16(input, k * record.n + n) ? 1 : 0;
      }
    }
    EXPECT_EQ(differences, 0) << "line " << record.line;
  }
  EXPECT_GT(compared, 1'000'000);
}

}  // namespace
}  // namespace nibblecore
