// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/emulate/quantize.hpp"
#include "model/formats/dequantize.hpp"
#include "model/interface/nibblecore/nibblecore.hpp"
#include "model/quantize/quantize.hpp"
#include "model/reference/gemm.hpp"
#include "tests/support/input_error.hpp"
#include "tests/support/random_matrix.hpp"
#include "tests/unit/interface/random_values.hpp"

namespace nibblecore {
namespace {

using test::bits_of;
using test::random_matrix;
using test::random_values;

TEST(CppInterface, FormatsByName) {
  EXPECT_EQ(api::format("hif4").block, 64);
  const BlockFormat nvfp4 = api::format("nvfp4");
  EXPECT_EQ(nvfp4.block, 16);
  EXPECT_EQ(nvfp4.scale, ScaleKind::kUe4m3);
  const BlockFormat mixed = api::format("mxfp4", 16, "ue4m3");
  EXPECT_EQ(mixed.block, 16);
  EXPECT_EQ(mixed.scale, ScaleKind::kUe4m3);
  EXPECT_NE(input_error([] { api::format("mxfp5"); }), "");
  EXPECT_NE(input_error([] { api::format("mxfp4", 8); }), "");
  EXPECT_NE(input_error([] { api::format("mxfp4", 0, "hif4"); }), "");
}

TEST(CppInterface, OtherNames) {
  EXPECT_EQ(api::preset("mxfp4").name, presets().front().name);
  EXPECT_EQ(&api::preset("nvfp4", "te_nvfp4"), &preset(kNvfp4, "te_nvfp4"));
  EXPECT_NE(input_error([] { api::preset("hif4", "te_nvfp4"); }), "");
  EXPECT_EQ(api::policy("blackwell-v1"), Accumulation::kBlackwellV1);
  EXPECT_NE(input_error([] { api::policy("fp16"); }), "");
  EXPECT_EQ(api::engine("emulator"), api::Engine::kEmulator);
  EXPECT_EQ(api::engine("reference"), api::Engine::kReference);
  EXPECT_EQ(input_error([] { api::engine("systemc"); }),
            "--engine: unknown name 'systemc' (known: emulator, reference)");
}

TEST(CppInterface, PackedSizesAreThoseOfPackedMatrices) {
  for (const BlockFormat& format : kBlockFormats) {
    for (const int64_t k : {0, 1, 16, 63, 64, 65, 1000}) {
      const PackedMatrix matrix = make_packed_matrix(format, 3, k);
      const api::PackedSizes sizes = api::packed_sizes(format, 3, k);
      EXPECT_EQ(sizes.codes, static_cast<int64_t>(matrix.codes.size()));
      EXPECT_EQ(sizes.scales, static_cast<int64_t>(matrix.scales.size()));
    }
  }
  EXPECT_NE(input_error([] { api::packed_sizes(kMxfp4, -1, 32); }), "");
  EXPECT_NE(input_error([] { api::packed_sizes(kMxfp4, 1, INT64_MAX); }), "");
  EXPECT_NE(input_error([] { api::packed_sizes(kMxfp4, int64_t{1} << 40, 1 << 30); }), "");
}

/// Presets with a fast quantizer and without give the golden bits.
TEST(CppInterface, QuantizesAsTheGoldenQuantizers) {
  std::mt19937 random(1);
  const std::vector<float> values = random_values(500, random);
  const MatrixView view = api::fp32_matrix(values.data(), 5, 100);
  int fast = 0;
  int golden = 0;
  for (const Preset& preset : presets()) {
    if (is_stochastic(preset)) {
      continue;
    }
    ++(has_emulated_quantizer(preset) ? fast : golden);
    const PackedMatrix expected = quantize(view, preset, 1);
    const PackedMatrix packed = api::quantize(view, preset, 2);
    EXPECT_EQ(packed.codes, expected.codes) << preset.name;
    EXPECT_EQ(packed.scales, expected.scales) << preset.name;
    EXPECT_EQ(packed.tensor_scale, expected.tensor_scale) << preset.name;
    std::vector<float> decoded(values.size());
    dequantize(expected, decoded.data());
    EXPECT_EQ(bits_of(api::dequantize(packed)), bits_of(decoded)) << preset.name;
  }
  EXPECT_GT(fast, 0);
  EXPECT_GT(golden, 0);
}

TEST(CppInterface, QuantizesBf16) {
  std::mt19937 random(2);
  std::vector<float> values = random_values(128, random);
  std::vector<uint16_t> halves;
  for (float& value : values) {
    halves.push_back(static_cast<uint16_t>(float_bits(value) >> 16));
    value = bits_float(uint32_t{halves.back()} << 16);
  }
  const Preset& preset = api::preset("hif4");
  const PackedMatrix from_bf16 = api::quantize(api::bf16_matrix(halves.data(), 2, 64), preset);
  const PackedMatrix from_fp32 = api::quantize(api::fp32_matrix(values.data(), 2, 64), preset);
  EXPECT_EQ(from_bf16.codes, from_fp32.codes);
  EXPECT_EQ(from_bf16.scales, from_fp32.scales);
}

struct Operands {
  PackedMatrix a;
  PackedMatrix b;
  std::vector<float> c;
};

Operands random_operands(const BlockFormat& format, int64_t k) {
  std::mt19937 random(3);
  Operands operands{random_matrix(format, 5, k, random), random_matrix(format, 7, k, random),
                    random_values(35, random)};
  operands.a.tensor_scale = 0.3F;
  operands.b.tensor_scale = 1.7F;
  return operands;
}

TEST(CppInterface, MultipliesAsTheGoldenReference) {
  for (const AccumulationRecord& record : kAccumulations) {
    const Operands operands = random_operands(kMxfp4, 192);
    std::vector<uint32_t> c = bits_of(operands.c);
    std::vector<uint32_t> expected(35);
    std::vector<uint8_t> expected_loss(35);
    reference_gemm(operands.a, operands.b, record.accumulation, c.data(), expected.data(), 1, {},
                   expected_loss.data());
    for (const api::Engine engine : {api::Engine::kEmulator, api::Engine::kReference}) {
      std::vector<uint8_t> loss(35, 99);
      const api::GemmOptions options{engine, 2, loss.data()};
      EXPECT_EQ(
          bits_of(api::gemm(operands.a, operands.b, record.accumulation, operands.c, options)),
          expected);
      EXPECT_EQ(loss, expected_loss);
    }
    for (int64_t i = 0; i < 35; ++i) {
      const auto at = static_cast<size_t>(i);
      EXPECT_EQ(api::dot(operands.a, i / 7, operands.b, i % 7, record.accumulation, c[at]),
                expected[at]);
    }
    const api::Gemm gemm(operands.a, operands.b, record.accumulation);
    gemm.run(c.data(), c.data(), 2);
    EXPECT_EQ(c, expected) << record.name;
  }
}

TEST(CppInterface, WithoutCStartsAtZero) {
  const Operands operands = random_operands(kHif4, 100);
  std::vector<uint32_t> expected(35);
  reference_gemm(operands.a, operands.b, Accumulation::kExact, nullptr, expected.data(), 1);
  EXPECT_EQ(bits_of(api::gemm(operands.a, operands.b, Accumulation::kExact)), expected);
  api::Gemm first(operands.a, operands.b, Accumulation::kExact);
  const api::Gemm moved(std::move(first));
  std::vector<uint32_t> d(35);
  moved.run(nullptr, d.data());
  EXPECT_EQ(d, expected);
}

TEST(CppInterface, EmptyMatricesAreNoError) {
  const MatrixView none = api::fp32_matrix(nullptr, 0, 64);
  const PackedMatrix empty = api::quantize(none, api::preset("mxfp4"));
  EXPECT_TRUE(api::dequantize(empty).empty());
  EXPECT_TRUE(api::gemm(empty, empty, Accumulation::kExact).empty());
}

TEST(CppInterface, RefusesWhatDoesNotGoTogether) {
  const Operands good = random_operands(kMxfp4, 64);
  constexpr Accumulation policy = Accumulation::kFp32Rne;
  PackedMatrix shorter = good.a;
  shorter.codes.pop_back();
  EXPECT_EQ(input_error([&] { api::gemm(shorter, good.b, policy); }),
            "codes of A: 159 bytes, expected 160");
  EXPECT_EQ(input_error([&] { api::gemm(good.b, shorter, policy); }),
            "codes of B: 159 bytes, expected 160");
  EXPECT_EQ(input_error([&] { api::dequantize(shorter); }),
            "codes of matrix: 159 bytes, expected 160");
  PackedMatrix longer = good.a;
  longer.scales.push_back(0);
  EXPECT_EQ(input_error([&] { api::Gemm(good.a, longer, policy); }),
            "scales of B: 11 bytes, expected 10");
  PackedMatrix nameless = good.a;
  nameless.format.name = {};
  EXPECT_NE(input_error([&] { api::dequantize(nameless); }), "");
  PackedMatrix mixed = good.a;
  mixed.format.element = ElementKind::kS1p2;
  EXPECT_EQ(input_error([&] { api::dequantize(mixed); }),
            "matrix: elements are not those of mxfp4");

  EXPECT_EQ(input_error([&] { api::dot(good.a, 5, good.b, 0, policy); }), "A: no row 5 of 5");
  EXPECT_EQ(input_error([&] { api::dot(good.a, 0, good.b, -1, policy); }), "B: no row -1 of 7");
  EXPECT_EQ(input_error([&] { api::gemm(good.a, good.b, policy, std::vector<float>(34)); }),
            "c: 34 numbers, expected 35");
  for (const api::Engine engine : {api::Engine::kEmulator, api::Engine::kReference}) {
    EXPECT_EQ(input_error([&] { api::gemm(good.a, good.b, policy, nullptr, nullptr, {engine}); }),
              "d: must not be null");
    EXPECT_EQ(input_error([&] {
                api::gemm(good.a, good.b, policy, {}, {engine, -1});
              }),
              "threads: -1 is negative");
    EXPECT_NE(input_error(
                  [&] { api::gemm(good.a, random_operands(kMxfp4, 32).b, policy, {}, {engine}); }),
              "");
  }
  EXPECT_EQ(input_error([&] { api::dequantize(good.a, nullptr); }), "values: must not be null");
  EXPECT_EQ(
      input_error([] { api::quantize(api::fp32_matrix(nullptr, 1, 32), api::preset("mxfp4")); }),
      "values: must not be null");
  EXPECT_NE(
      input_error([] { api::quantize(api::fp32_matrix(nullptr, -1, 32), api::preset("mxfp4")); }),
      "");
}

}  // namespace
}  // namespace nibblecore
