// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "model/formats/dequantize.hpp"
#include "model/interface/nibblecore/nibblecore.h"
#include "model/quantize/quantize.hpp"
#include "tests/unit/interface/random_values.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kRows = 3;
constexpr int64_t kLength = 70;

/// Arguments of both quantizing functions and the dequantizing one, right until changed.
struct Call {
  const char* format = "nvfp4";
  int block = 0;
  const char* scale = nullptr;
  const char* preset = "te_nvfp4";
  std::vector<float> values;
  const float* from = nullptr;
  int64_t rows = kRows;
  int64_t k = kLength;
  std::vector<uint8_t> code_bytes = std::vector<uint8_t>(120, 0xAA);
  std::vector<uint8_t> scale_bytes = std::vector<uint8_t>(15, 0xAA);
  uint8_t* codes = code_bytes.data();
  int64_t codes_size = 120;
  uint8_t* scales = scale_bytes.data();
  int64_t scales_size = 15;
  float factor = -1;
  float* tensor_scale = &factor;
  int threads = 1;

  Call() {
    std::mt19937 random(4);
    values = test::random_values(kRows * kLength, random);
    from = values.data();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  int quantize() {
    return nibblecore_quantize(format, preset, from, rows, k, codes, codes_size, scales,
                               scales_size, tensor_scale, threads);
  }
  int dequantize(float* to) const {
    return nibblecore_dequantize(format, block, scale, codes, codes_size, scales, scales_size,
                                 factor, rows, k, to, threads);
  }
  bool is_untouched() const {
    return code_bytes == std::vector<uint8_t>(120, 0xAA) &&
           scale_bytes == std::vector<uint8_t>(15, 0xAA) && factor == -1;
  }
};

TEST(CInterface, VersionIsThreeNumbers) {
  int parts[3] = {-1, -1, -1};
  char end = 0;
  EXPECT_EQ(std::sscanf(nibblecore_version(), "%d.%d.%d%c", parts, parts + 1, parts + 2, &end), 3);
}

TEST(CInterface, PackedSizes) {
  int64_t codes = -1;
  int64_t scales = -1;
  ASSERT_EQ(nibblecore_packed_sizes("hif4", 0, nullptr, 3, 65, &codes, &scales), NIBBLECORE_OK);
  EXPECT_EQ(codes, 3 * 64);
  EXPECT_EQ(scales, 3 * 8);
  ASSERT_EQ(nibblecore_packed_sizes("mxfp4", 16, "ue4m3", 2, 65, &codes, &scales), NIBBLECORE_OK);
  EXPECT_EQ(codes, 2 * 40);
  EXPECT_EQ(scales, 2 * 5);
  EXPECT_EQ(nibblecore_packed_sizes("mxfp4", 0, nullptr, -1, 65, &codes, &scales),
            NIBBLECORE_BAD_INPUT);
  EXPECT_EQ(nibblecore_packed_sizes("mxfp4", 0, nullptr, INT64_MAX, 65, &codes, &scales),
            NIBBLECORE_BAD_INPUT);
  EXPECT_EQ(codes, 2 * 40);
  EXPECT_EQ(scales, 2 * 5);
  EXPECT_EQ(nibblecore_packed_sizes(nullptr, 0, nullptr, 1, 65, &codes, &scales),
            NIBBLECORE_BAD_INPUT);
  EXPECT_STREQ(nibblecore_last_error(), "format: must not be null");
  EXPECT_EQ(nibblecore_packed_sizes("mxfp4", 0, nullptr, 1, 65, nullptr, &scales),
            NIBBLECORE_BAD_INPUT);
  EXPECT_EQ(nibblecore_packed_sizes("mxfp4", 0, nullptr, 1, 65, &codes, nullptr),
            NIBBLECORE_BAD_INPUT);
}

TEST(CInterface, QuantizesAndDequantizesAsTheModel) {
  Call call;
  ASSERT_EQ(call.quantize(), NIBBLECORE_OK);
  const PackedMatrix expected =
      quantize(row_major_view(call.values.data(), kRows, kLength), preset(kNvfp4, "te_nvfp4"), 1);
  EXPECT_EQ(call.code_bytes, expected.codes);
  EXPECT_EQ(call.scale_bytes, expected.scales);
  EXPECT_EQ(call.factor, expected.tensor_scale);
  EXPECT_NE(call.factor, 1.0F);
  std::vector<float> numbers(call.values.size());
  std::vector<float> decoded(call.values.size());
  ASSERT_EQ(call.dequantize(numbers.data()), NIBBLECORE_OK);
  dequantize(expected, decoded.data());
  EXPECT_EQ(test::bits_of(numbers), test::bits_of(decoded));

  Call by_default;
  by_default.preset = nullptr;
  ASSERT_EQ(by_default.quantize(), NIBBLECORE_OK);
  EXPECT_EQ(
      by_default.code_bytes,
      quantize(row_major_view(call.values.data(), kRows, kLength), preset(kNvfp4, ""), 1).codes);
}

TEST(CInterface, QuantizesBf16AsTheModel) {
  Call call;
  std::vector<uint16_t> halves;
  for (const uint32_t bits : test::bits_of(call.values)) {
    halves.push_back(static_cast<uint16_t>(bits >> 16));
  }
  ASSERT_EQ(nibblecore_quantize_bf16(call.format, call.preset, halves.data(), kRows, kLength,
                                     call.codes, call.codes_size, call.scales, call.scales_size,
                                     call.tensor_scale, 0),
            NIBBLECORE_OK);
  const PackedMatrix expected = quantize(
      {halves.data(), ValueType::kBf16, kRows, kLength, kLength, 1}, preset(kNvfp4, "te_nvfp4"), 1);
  EXPECT_EQ(call.code_bytes, expected.codes);
  EXPECT_EQ(call.scale_bytes, expected.scales);
  EXPECT_EQ(call.factor, expected.tensor_scale);
}

/// The message where `change` makes the call wrong; nothing may be written then.
template <typename Change>
std::string quantize_error(const Change& change) {
  Call call;
  change(call);
  EXPECT_EQ(call.quantize(), NIBBLECORE_BAD_INPUT);
  EXPECT_TRUE(call.is_untouched());
  return nibblecore_last_error();
}

template <typename Change>
std::string dequantize_error(const Change& change) {
  Call call;
  change(call);
  std::vector<float> to(call.values.size(), -1);
  EXPECT_EQ(call.dequantize(call.from == nullptr ? nullptr : to.data()), NIBBLECORE_BAD_INPUT);
  EXPECT_EQ(to, std::vector<float>(call.values.size(), -1));
  return nibblecore_last_error();
}

TEST(CInterface, BothRefuseWrongArguments) {
  const auto expect = [](const auto& change, const std::string& message) {
    EXPECT_EQ(quantize_error(change), message);
    EXPECT_EQ(dequantize_error(change), message);
  };
  expect([](Call& c) { c.format = nullptr; }, "format: must not be null");
  expect([](Call& c) { c.format = "int4"; },
         "--format: unknown name 'int4' (known: mxfp4, hif4, nvfp4)");
  expect([](Call& c) { c.from = nullptr; }, "values: must not be null");
  expect([](Call& c) { c.rows = -3; }, "rows: -3 is not positive");
  expect([](Call& c) { c.k = 0; }, "k: 0 is not positive");
  expect([](Call& c) { c.codes = nullptr; }, "codes: must not be null");
  expect([](Call& c) { c.scales = nullptr; }, "scales: must not be null");
  expect([](Call& c) { c.codes_size = 119; }, "codes_size: 119 bytes, expected 120");
  expect([](Call& c) { c.codes_size = -1; }, "codes_size: -1 bytes, expected 120");
  expect([](Call& c) { c.scales_size = 16; }, "scales_size: 16 bytes, expected 15");
  expect([](Call& c) { c.threads = -1; }, "threads: -1 is negative");
  expect([](Call& c) { c.k = INT64_MAX; },
         "matrix of 3 rows and 9223372036854775807 columns: size 9223372036854775807 + 64 does not "
         "fit 64 bits");
}

TEST(CInterface, EachRefusesItsOwnArguments) {
  EXPECT_EQ(quantize_error([](Call& c) { c.tensor_scale = nullptr; }),
            "tensor_scale: must not be null");
  EXPECT_EQ(quantize_error([](Call& c) {
              c.preset = "rceil";
            }).find("--preset: unknown preset 'rceil' of nvfp4"),
            0U);
  EXPECT_EQ(dequantize_error([](Call& c) { c.block = 8; }).find("--block: "), 0U);
  EXPECT_EQ(dequantize_error([](Call& c) { c.scale = "e5m2"; }).find("--scale: "), 0U);
}

}  // namespace
}  // namespace nibblecore
