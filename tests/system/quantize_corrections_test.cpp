// SPDX-License-Identifier: Apache-2.0
// What `quantize` writes under each correction: tensors, and values that are what codes, scales and
// factors say.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/program.hpp"
#include "tests/system/support/tensor_file.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;

constexpr size_t kRows = 64;
constexpr size_t kColumns = 192;
constexpr size_t kBlock = 32;
constexpr std::array<float, 8> kMagnitudes{0, 0.5F, 1, 1.5F, 2, 3, 4, 6};

/// Values over some octaves, of either sign and without a pattern.
std::vector<float> inputs() {
  std::vector<float> values(kRows * kColumns);
  uint32_t state = 1;
  for (float& value : values) {
    state = state * 1664525 + 1013904223;
    value = std::ldexp(static_cast<float>(static_cast<int32_t>(state)) * 0x1p-31F,
                       static_cast<int>(state >> 8 & 3));
  }
  return values;
}

float element(const std::vector<uint8_t>& codes, size_t index) {
  const unsigned code = codes[index / 2] >> (4 * (index % 2)) & 0xF;
  return code >= 8 ? -kMagnitudes[code - 8] : kMagnitudes[code];
}

/// Code times scale of every element of `name`, an MXFP4 tensor of kRows x kColumns; exact.
std::vector<float> code_values(const SafetensorsFile& file, const std::string& name) {
  const auto codes = elements_of<uint8_t>(file, name + ".codes");
  const auto scales = elements_of<uint8_t>(file, name + ".scales");
  std::vector<float> values(kRows * kColumns);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = std::ldexp(element(codes, i), scales[i / kBlock] - 127);
  }
  return values;
}

std::set<std::string> names_of(const SafetensorsFile& file) {
  std::set<std::string> names;
  for (const Tensor& tensor : file.tensors()) {
    names.insert(tensor.name);
  }
  return names;
}

/// `x` is a tensor of kRows x kColumns, `before` one like it that is stored in front.
class QuantizeCorrections : public testing::Test {
 protected:
  QuantizeCorrections() {
    const std::vector<int64_t> shape{kRows, kColumns};
    TensorFile input;
    input.set("before", DType::kF32, shape, x).set("x", DType::kF32, shape, x).write(path("in"));
  }

  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  Arguments command(const Arguments& options) const {
    Arguments arguments{"quantize", path("in"), "-o", path("out"), "--dequantize"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }

  SafetensorsFile quantize(const Arguments& options) const {
    const ProgramRun run = run_program(command(options));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return SafetensorsFile(path("out"));
  }

  std::vector<uint8_t> codes(const Arguments& options, const std::string& name = "x") const {
    return elements_of<uint8_t>(quantize(options), name + ".codes");
  }

  double squared_error(const SafetensorsFile& file) const {
    const auto decoded = elements_of<float>(file, "x.dequantized");
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double error = double{decoded[i]} - double{x[i]};
      sum += error * error;
    }
    return sum;
  }

  TemporaryFolder folder;
  std::vector<float> x = inputs();
};

TEST_F(QuantizeCorrections, NoneAddsNoTensor) {
  const SafetensorsFile file = quantize({});
  EXPECT_EQ(names_of(file),
            (std::set<std::string>{"before.codes", "before.scales", "before.dequantized", "x.codes",
                                   "x.scales", "x.dequantized"}));
  EXPECT_EQ(elements_of<float>(file, "x.dequantized"), code_values(file, "x"));
}

TEST_F(QuantizeCorrections, MacroFactorsScaleTheDecodedValues) {
  for (const char* const search : {"static", "dynamic"}) {
    SCOPED_TRACE(search);
    const SafetensorsFile file = quantize({"--macro", search, "--macro-length", "64"});
    ASSERT_THAT(file.tensor("x.macro_factors").shape, ElementsAre(kRows, kColumns / 64));
    const auto factors = elements_of<float>(file, "x.macro_factors");
    const auto decoded = elements_of<float>(file, "x.dequantized");
    std::vector<float> expected = code_values(file, "x");
    for (size_t i = 0; i < expected.size(); ++i) {
      expected[i] *= factors[i / 64];
    }
    EXPECT_EQ(decoded, expected);
    // FP16(1/c) with c in [1, 2); most are not 1.
    EXPECT_TRUE(std::all_of(factors.begin(), factors.end(), [](float factor) {
      return factor >= 0.5F && factor <= 1 && std::ldexp(factor, 11) == std::rint(factor * 2048);
    }));
    EXPECT_GT(std::count_if(factors.begin(), factors.end(), [](float each) { return each != 1; }),
              std::ptrdiff_t{kRows});
  }
}

// The last macro block of a row is shorter: 192 = 128 + 64.
TEST_F(QuantizeCorrections, HybridMacroBlocksFollowTheOperand) {
  const auto factors = [&](const Arguments& options) {
    const SafetensorsFile file = quantize(options);
    EXPECT_THAT(file.tensor("x.macro_factors").shape, ElementsAre(kRows, 2));
    return elements_of<float>(file, "x.macro_factors");
  };
  EXPECT_EQ(factors({"--macro", "hybrid"}), factors({"--macro", "static"}));
  EXPECT_EQ(factors({"--macro", "hybrid", "--operand", "weight"}), factors({"--macro", "dynamic"}));
  EXPECT_NE(factors({"--macro", "static"}), factors({"--macro", "dynamic"}));
}

TEST_F(QuantizeCorrections, FallbackAddsAlphaTimesTheResidualRoundedOnce) {
  const double plain = squared_error(quantize({}));
  const SafetensorsFile file = quantize({"--fallback", "0.75", "--macro", "static"});
  ASSERT_NE(file.find("x.residual.scales"), nullptr);
  const auto factors = elements_of<float>(file, "x.macro_factors");
  const std::vector<float> residual = code_values(file, "x.residual");
  std::vector<float> expected = code_values(file, "x");
  for (size_t i = 0; i < expected.size(); ++i) {
    const float factor = factors[i / kColumns * 2 + i % kColumns / 128];
    expected[i] = std::fma(0.75F, residual[i] * factor, expected[i] * factor);
  }
  EXPECT_EQ(elements_of<float>(file, "x.dequantized"), expected);
  EXPECT_LT(squared_error(file), plain / 4);
}

TEST_F(QuantizeCorrections, ResidualPatternsKeepTheirElements) {
  const std::vector<float> dense = code_values(quantize({"--residual", "dense"}), "x.residual");
  for (const char* const pattern : {"2:4", "channel-50", "block-32x64-50"}) {
    SCOPED_TRACE(pattern);
    const SafetensorsFile file = quantize({"--residual", pattern});
    const std::vector<float> residual = code_values(file, "x.residual");
    size_t kept = 0;
    std::vector<float> expected = code_values(file, "x");
    for (size_t i = 0; i < residual.size(); ++i) {
      EXPECT_TRUE(residual[i] == dense[i] || float_bits(residual[i]) == 0) << i;
      kept += residual[i] != 0 ? 1 : 0;
      expected[i] += residual[i];
    }
    EXPECT_LE(kept, residual.size() / 2);
    EXPECT_GT(kept, residual.size() / 4);
    EXPECT_EQ(elements_of<float>(file, "x.dequantized"), expected);
  }
}

TEST_F(QuantizeCorrections, TilesWithAnOutlierKeepTheirResidual) {
  x[20 * kColumns + 70] = 100;  // tile (1, 1) of 16 x 64
  TensorFile input;
  input.set("x", DType::kF32, {kRows, kColumns}, x).write(path("in"));
  const Arguments tiles{"--fallback-rows", "16", "--fallback-channels", "64"};
  // 12 tiles: a tenth of them is one.
  for (const Arguments& criterion :
       {Arguments{"--fallback-theta", "50"}, Arguments{"--fallback-rate", "0.1"}}) {
    Arguments options = tiles;
    options.insert(options.end(), criterion.begin(), criterion.end());
    const std::vector<float> residual = code_values(quantize(options), "x.residual");
    for (size_t i = 0; i < residual.size(); ++i) {
      if (i / kColumns / 16 != 1 || i % kColumns / 64 != 1) {
        ASSERT_EQ(float_bits(residual[i]), 0U) << i;
      }
    }
    EXPECT_TRUE(
        std::any_of(residual.begin(), residual.end(), [](float each) { return each != 0; }));
  }
}

TEST_F(QuantizeCorrections, StochasticRoundingFollowsSeedAndTensor) {
  const Arguments first{"--rounding", "stochastic", "--seed", "1"};
  EXPECT_EQ(codes(first), codes({"--rounding", "stochastic"}));
  EXPECT_NE(codes(first), codes({"--rounding", "stochastic", "--seed", "2"}));
  EXPECT_NE(codes(first), codes(first, "before"));
  // Either neighbour: within a step of the element on each side.
  const SafetensorsFile file = quantize(first);
  const auto decoded = elements_of<float>(file, "x.dequantized");
  const auto scales = elements_of<uint8_t>(file, "x.scales");
  EXPECT_EQ(scales, elements_of<uint8_t>(quantize({}), "x.scales"));
  int beyond_half = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const float magnitude = std::ldexp(std::fabs(x[i]), 127 - scales[i / kBlock]);
    const float step = magnitude < 2 ? 0.5F : magnitude < 4 ? 1.0F : 2.0F;
    const float distance = std::ldexp(std::fabs(decoded[i] - x[i]), 127 - scales[i / kBlock]);
    ASSERT_LT(distance, step) << i;
    beyond_half += distance > step / 2 ? 1 : 0;
  }
  EXPECT_GT(beyond_half, 1000);
}

TEST_F(QuantizeCorrections, HadamardValuesAreThoseOfTheTransformedTensor) {
  std::vector<float> transformed = x;
  for (size_t first = 0; first < transformed.size(); first += 16) {
    for (size_t stride = 1; stride < 16; stride *= 2) {
      for (size_t i = first; i < first + 16; ++i) {
        if ((i - first) / stride % 2 == 0) {
          const float a = transformed[i];
          const float b = transformed[i + stride];
          transformed[i] = a + b;
          transformed[i + stride] = a - b;
        }
      }
    }
  }
  for (float& value : transformed) {
    value *= 0.25F;
  }
  const SafetensorsFile file = quantize({"--hadamard", "plus16"});
  const auto decoded = elements_of<float>(file, "x.dequantized");
  TensorFile input;
  input.set("x", DType::kF32, {kRows, kColumns}, transformed).write(path("in"));
  EXPECT_EQ(elements_of<float>(quantize({}), "x.dequantized"), decoded);
}

TEST_F(QuantizeCorrections, HadamardSignsFollowTheSeedAlone) {
  EXPECT_NE(codes({"--hadamard", "32"}), codes({"--hadamard", "plus32"}));
  EXPECT_NE(codes({"--hadamard", "32"}), codes({"--hadamard", "32", "--seed", "2"}));
  // Both operands of a GEMM need the same signs, so every tensor has them.
  EXPECT_EQ(codes({"--hadamard", "32"}), codes({"--hadamard", "32"}, "before"));
}

TEST_F(QuantizeCorrections, NoiseFollowsSeedAndTensor) {
  EXPECT_NE(codes({"--noise", "0.1"}), codes({}));
  EXPECT_NE(codes({"--noise", "0.1"}), codes({"--noise", "0.1", "--seed", "2"}));
  EXPECT_NE(codes({"--noise", "0.1"}), codes({"--noise", "0.1"}, "before"));
}

TEST_F(QuantizeCorrections, SquareBlocksShareTheirTilesScale) {
  std::vector<float> square(size_t{64} * 64);
  std::copy_n(x.begin(), square.size(), square.begin());
  square[40 * 64 + 5] = 1000;  // tile (1, 0): 1000 / 6 <= 2^8
  std::vector<float> transposed(square.size());
  for (size_t i = 0; i < square.size(); ++i) {
    transposed[i % 64 * 64 + i / 64] = square[i];
  }
  TensorFile input;
  input.set("w", DType::kF32, {64, 64}, square).set("t", DType::kF32, {64, 64}, transposed);
  input.write(path("in"));
  const SafetensorsFile file = quantize({"--weight-blocks", "square", "--operand", "weight"});
  const auto scales = elements_of<uint8_t>(file, "w.scales");
  for (size_t row = 0; row < 64; ++row) {
    EXPECT_EQ(scales[row * 2], row < 32 ? scales[0] : 127 + 8) << row;
    EXPECT_EQ(scales[row * 2 + 1], scales[row / 32 * 64 + 1]) << row;
  }
  const auto decoded = elements_of<float>(file, "w.dequantized");
  const auto of_transposed = elements_of<float>(file, "t.dequantized");
  for (size_t i = 0; i < decoded.size(); ++i) {
    ASSERT_EQ(decoded[i], of_transposed[i % 64 * 64 + i / 64]) << i;
  }
}

TEST_F(QuantizeCorrections, IdealScaleIsASixthOfTheLargestMagnitude) {
  const SafetensorsFile file = quantize({"--scale-rule", "ideal"});
  EXPECT_EQ(names_of(file), (std::set<std::string>{"before.scales_f32", "before.dequantized",
                                                   "x.scales_f32", "x.dequantized"}));
  ASSERT_THAT(file.tensor("x.scales_f32").shape, ElementsAre(kRows, kColumns / kBlock));
  const auto scales = elements_of<float>(file, "x.scales_f32");
  const auto decoded = elements_of<float>(file, "x.dequantized");
  for (size_t block = 0; block < scales.size(); ++block) {
    const auto largest =
        *std::max_element(x.begin() + static_cast<std::ptrdiff_t>(block * kBlock),
                          x.begin() + static_cast<std::ptrdiff_t>((block + 1) * kBlock),
                          [](float one, float other) { return std::fabs(one) < std::fabs(other); });
    ASSERT_EQ(scales[block], static_cast<float>(std::fabs(double{largest}) / 6)) << block;
    EXPECT_EQ(
        decoded[static_cast<size_t>(
            std::find(x.begin() + static_cast<std::ptrdiff_t>(block * kBlock), x.end(), largest) -
            x.begin())],
        largest);
  }
}

TEST_F(QuantizeCorrections, FpQuantsThirdIsATensorScale) {
  for (const char* const preset : {"fpquant_mxfp4", "four_thirds"}) {
    const SafetensorsFile file = quantize({"--preset", preset});
    EXPECT_THAT(elements_of<uint32_t>(file, "x.tensor_scale"), ElementsAre(0x3EAAAAABU)) << preset;
  }
  // FP-Quant multiplies by FP32(4/3 * 2^n), the exact rule decodes by the third.
  const SafetensorsFile file = quantize({"--preset", "four_thirds"});
  std::vector<float> expected = code_values(file, "x");
  for (float& value : expected) {
    value *= 1.0F / 3.0F;
  }
  EXPECT_EQ(elements_of<float>(file, "x.dequantized"), expected);
  EXPECT_EQ(quantize({}).find("x.tensor_scale"), nullptr);
}

TEST_F(QuantizeCorrections, WhatDoesNotGoTogetherIsRefused) {
  expect_refused(folder, command({"--fallback", "1", "--residual", "2:4"}), {"--fallback"});
  expect_refused(folder, command({"--fallback", "1", "--fallback-rate", "0.5"}), {"--fallback"});
  expect_refused(folder, command({"--format", "nvfp4", "--macro", "static"}),
                 {"'before'", "macro"});
  expect_refused(folder, command({"--format", "hif4", "--weight-blocks", "square"}),
                 {"square", "micro-exponents"});
  expect_refused(
      folder,
      command({"--format", "nvfp4", "--preset", "four_over_six", "--weight-blocks", "square"}),
      {"square", "single blocks"});
  expect_refused(folder, command({"--hadamard", "48"}), {"--hadamard", "'48'"});
  expect_refused(folder, command({"--scale-rule", "ideal", "--macro", "static"}), {"'ideal'"});
  expect_refused(folder, command({"--operand", "gradient"}), {"--operand", "'gradient'"});
}

}  // namespace
}  // namespace nibblecore
