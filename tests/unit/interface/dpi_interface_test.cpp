// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/interface/nibblecore/nibblecore.h"
#include "model/interface/nibblecore/nibblecore_dpi.h"
#include "model/quantize/quantize.hpp"
#include "model/reference/gemm.hpp"
#include "tests/support/random_matrix.hpp"
#include "tests/unit/interface/random_values.hpp"

namespace nibblecore {
namespace {

/// Bytes as a packed vector: element i of eight bits has bits 8i to 8i + 7.
std::vector<uint32_t> words(const std::vector<uint8_t>& bytes) {
  std::vector<uint32_t> vector((bytes.size() + 3) / 4);
  for (size_t i = 0; i < bytes.size(); ++i) {
    vector[i / 4] |= uint32_t{bytes[i]} << (8 * (i % 4));
  }
  return vector;
}

struct QuantizedBlock {
  std::vector<float> values;
  PackedMatrix expected;
  std::vector<uint32_t> codes;  ///< with a word behind them that nothing may write
};

QuantizedBlock quantized_block(const BlockFormat& format, const char* name) {
  std::mt19937 random(6);
  QuantizedBlock block{test::random_values(format.block, random), {}, {}};
  block.expected =
      quantize(row_major_view(block.values.data(), 1, format.block), preset(format, name), 1);
  block.codes.assign(static_cast<size_t>(format.block / 8) + 1, 0xABCDEF01);
  return block;
}

void expect_codes(const QuantizedBlock& block) {
  std::vector<uint32_t> expected = words(block.expected.codes);
  expected.push_back(0xABCDEF01);
  EXPECT_EQ(block.codes, expected);
}

TEST(DpiInterface, QuantizesBlocks) {
  uint8_t scale = 0;
  QuantizedBlock mxfp4 = quantized_block(kMxfp4, "rceil");
  ASSERT_EQ(nibblecore_dpi_quantize_mxfp4("rceil", test::bits_of(mxfp4.values).data(),
                                          mxfp4.codes.data(), &scale),
            NIBBLECORE_OK);
  expect_codes(mxfp4);
  EXPECT_EQ(scale, mxfp4.expected.scales[0]);

  uint32_t tensor_scale = 0;
  QuantizedBlock nvfp4 = quantized_block(kNvfp4, "te_nvfp4");
  ASSERT_EQ(nibblecore_dpi_quantize_nvfp4("te_nvfp4", test::bits_of(nvfp4.values).data(),
                                          nvfp4.codes.data(), &scale, &tensor_scale),
            NIBBLECORE_OK);
  expect_codes(nvfp4);
  EXPECT_EQ(scale, nvfp4.expected.scales[0]);
  EXPECT_EQ(tensor_scale, float_bits(nvfp4.expected.tensor_scale));

  uint32_t hif4_scale = 0;
  QuantizedBlock hif4 = quantized_block(kHif4, "");
  ASSERT_EQ(nibblecore_dpi_quantize_hif4("", test::bits_of(hif4.values).data(), hif4.codes.data(),
                                         &hif4_scale),
            NIBBLECORE_OK);
  expect_codes(hif4);
  EXPECT_EQ(hif4_scale, words(hif4.expected.scales)[0]);
}

/// Random operands of one output or of an MMA step and the golden result.
struct Product {
  Product(const BlockFormat& format, int64_t m, int64_t n, int64_t k, Accumulation policy) {
    std::mt19937 random(7);
    const PackedMatrix left = test::random_matrix(format, m, k, random);
    const PackedMatrix right = test::random_matrix(format, n, k, random);
    c = test::bits_of(test::random_values(m * n, random));
    expected.resize(c.size());
    reference_gemm(left, right, policy, c.data(), expected.data(), 1);
    d.resize(c.size());
    a = words(left.codes);
    b = words(right.codes);
    a_scales = words(left.scales);
    b_scales = words(right.scales);
  }
  uint8_t a_byte() const { return static_cast<uint8_t>(a_scales[0]); }
  uint8_t b_byte() const { return static_cast<uint8_t>(b_scales[0]); }

  std::vector<uint32_t> a, b, a_scales, b_scales, c, d, expected;
};

TEST(DpiInterface, MultipliesBlocks) {
  Product mxfp4(kMxfp4, 1, 1, 32, Accumulation::kFp32Rne);
  EXPECT_EQ(nibblecore_dpi_dot_mxfp4("fp32-rne", mxfp4.a.data(), mxfp4.a_byte(), mxfp4.b.data(),
                                     mxfp4.b_byte(), mxfp4.c[0], mxfp4.d.data()),
            NIBBLECORE_OK);
  EXPECT_EQ(mxfp4.d, mxfp4.expected);
  Product nvfp4(kNvfp4, 1, 1, 16, Accumulation::kExact);
  EXPECT_EQ(nibblecore_dpi_dot_nvfp4("exact", nvfp4.a.data(), nvfp4.a_byte(), nvfp4.b.data(),
                                     nvfp4.b_byte(), nvfp4.c[0], nvfp4.d.data()),
            NIBBLECORE_OK);
  EXPECT_EQ(nvfp4.d, nvfp4.expected);
  Product hif4(kHif4, 1, 1, 64, Accumulation::kFp32Fused);
  EXPECT_EQ(nibblecore_dpi_dot_hif4("fp32-fused", hif4.a.data(), hif4.a_scales[0], hif4.b.data(),
                                    hif4.b_scales[0], hif4.c[0], hif4.d.data()),
            NIBBLECORE_OK);
  EXPECT_EQ(hif4.d, hif4.expected);
}

using Mma = int (*)(const char*, const uint32_t*, const uint32_t*, const uint32_t*, const uint32_t*,
                    const uint32_t*, uint32_t*);

void expect_mma(Mma mma, const BlockFormat& format, const char* policy) {
  Product product(format, 16, 8, 64, accumulation(policy));
  EXPECT_EQ(mma(policy, product.a.data(), product.a_scales.data(), product.b.data(),
                product.b_scales.data(), product.c.data(), product.d.data()),
            NIBBLECORE_OK)
      << nibblecore_last_error();
  EXPECT_EQ(product.d, product.expected) << format.name << " " << policy;
}

TEST(DpiInterface, MmaSteps) {
  for (const char* const policy : {"fp32-rne", "blackwell"}) {
    expect_mma(nibblecore_dpi_mma_mxfp4, kMxfp4, policy);
    expect_mma(nibblecore_dpi_mma_nvfp4, kNvfp4, policy);
  }
  expect_mma(nibblecore_dpi_mma_hif4, kHif4, "fp32-rne");
}

TEST(DpiInterface, RefusesAndWritesNothing) {
  Product step(kMxfp4, 16, 8, 64, Accumulation::kFp32Rne);
  const std::vector<uint32_t> before = step.d;
  EXPECT_EQ(nibblecore_dpi_mma_mxfp4("fp64", step.a.data(), step.a_scales.data(), step.b.data(),
                                     step.b_scales.data(), step.c.data(), step.d.data()),
            NIBBLECORE_BAD_INPUT);
  EXPECT_EQ(step.d, before);
  EXPECT_EQ(nibblecore_dpi_mma_mxfp4("fp32-rne", step.a.data(), step.a_scales.data(), step.b.data(),
                                     step.b_scales.data(), step.c.data(), nullptr),
            NIBBLECORE_BAD_INPUT);
  EXPECT_STREQ(nibblecore_last_error(), "d: must not be null");
  // An instruction of this policy adds two blocks.
  EXPECT_EQ(nibblecore_dpi_dot_mxfp4("blackwell", step.a.data(), 127, step.b.data(), 127, 0,
                                     step.d.data()),
            NIBBLECORE_BAD_INPUT);
  EXPECT_EQ(step.d, before);
  uint8_t scale = 99;
  EXPECT_EQ(nibblecore_dpi_quantize_mxfp4("rceil", nullptr, step.d.data(), &scale),
            NIBBLECORE_BAD_INPUT);
  EXPECT_STREQ(nibblecore_last_error(), "values: must not be null");
  EXPECT_EQ(nibblecore_dpi_quantize_nvfp4("", step.c.data(), step.d.data(), &scale, nullptr),
            NIBBLECORE_BAD_INPUT);
  EXPECT_EQ(scale, 99);
  EXPECT_EQ(step.d, before);
}

}  // namespace
}  // namespace nibblecore
