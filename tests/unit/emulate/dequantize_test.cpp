// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/dequantize.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/dequantize.hpp"
#include "model/formats/fp32.hpp"
#include "tests/unit/emulate/quantize_cases.hpp"

namespace nibblecore {
namespace {

constexpr uint32_t kPoison = 0x7FDEAD00;

std::vector<BlockFormat> all_formats() {
  std::vector<BlockFormat> formats{kHif4};
  for (const int block : {16, 32, 64}) {
    formats.push_back(make_block_format("mxfp4", block, "ue8m0"));
    formats.push_back(make_block_format("mxfp4", block, "ue4m3"));
  }
  return formats;
}

std::string describe(const PackedMatrix& matrix) {
  return std::string(scale_name(matrix.format.scale)) + " blocks of " +
         std::to_string(matrix.format.block) + ", k " + std::to_string(matrix.k);
}

/// Random codes; the first scale byte of each block counts up.
PackedMatrix random_matrix(const BlockFormat& format, int64_t rows, int64_t k,
                           std::mt19937& random) {
  PackedMatrix matrix = make_packed_matrix(format, rows, k);
  std::generate(matrix.codes.begin(), matrix.codes.end(),
                [&] { return static_cast<uint8_t>(random()); });
  for (size_t i = 0; i < matrix.scales.size(); ++i) {
    const auto bytes = static_cast<size_t>(format.scale_bytes());
    matrix.scales[i] = static_cast<uint8_t>(i % bytes == 0 ? i / bytes : random());
  }
  return matrix;
}

/// Values at an address that is a multiple of 4 alone, with poison behind.
std::vector<uint32_t> emulated(const PackedMatrix& matrix, int threads, EmulatorTarget target) {
  const auto count = static_cast<size_t>(matrix.rows * matrix.k);
  std::vector<float> values(count + 2, bits_float(kPoison));
  emulate_dequantize(matrix, values.data() + 1, threads, target);
  EXPECT_EQ(float_bits(values.front()), kPoison);
  EXPECT_EQ(float_bits(values.back()), kPoison);
  std::vector<uint32_t> bits(count);
  std::transform(values.begin() + 1, values.end() - 1, bits.begin(), float_bits);
  return bits;
}

void expect_golden(const PackedMatrix& matrix, int threads = 1) {
  std::vector<float> golden(static_cast<size_t>(matrix.rows * matrix.k));
  dequantize(matrix, golden.data());
  for (const EmulatorTarget target : available_targets()) {
    SCOPED_TRACE(describe(matrix) + " on " + std::string(name_of(target)));
    const std::vector<uint32_t> actual = emulated(matrix, threads, target);
    for (size_t i = 0; i < golden.size(); ++i) {
      const uint32_t expected = float_bits(golden[i]);
      // Which NaN an invalid product is, is the processor's.
      ASSERT_TRUE(actual[i] == expected || (fp32_is_nan(actual[i]) && fp32_is_nan(expected)))
          << "value " << i << ": " << std::hex << actual[i] << ", not " << expected;
    }
  }
}

TEST(EmulateDequantize, EveryCodeUnderEveryScale) {
  for (const BlockFormat& format : all_formats()) {
    // Rows 16 * i ... of one scale after another, each with every code everywhere.
    PackedMatrix matrix = make_packed_matrix(format, int64_t{256} * 16, format.block);
    std::mt19937 random(1);
    for (int64_t row = 0; row < matrix.rows; ++row) {
      uint8_t* const scales = matrix.row_scales(row);
      std::generate(scales, scales + format.scale_bytes(),
                    [&] { return static_cast<uint8_t>(random()); });
      scales[0] = static_cast<uint8_t>(row / 16);
      for (int64_t i = 0; i < format.block; ++i) {
        set_packed_code(matrix.row_codes(row), i, static_cast<uint8_t>((row + i) % 16));
      }
    }
    expect_golden(matrix);
  }
}

TEST(EmulateDequantize, EveryMicroExponent) {
  PackedMatrix matrix = make_packed_matrix(kHif4, 65536, 64);
  for (int64_t row = 0; row < matrix.rows; ++row) {
    uint8_t* const scales = matrix.row_scales(row);
    scales[0] = 0xC1;
    scales[1] = static_cast<uint8_t>((row * 0x9D) >> 3);
    scales[2] = static_cast<uint8_t>(row & 0xFF);
    scales[3] = static_cast<uint8_t>(row >> 8);
    std::fill_n(matrix.row_codes(row), 32, uint8_t{0x73});
  }
  expect_golden(matrix);
}

TEST(EmulateDequantize, NanScaleGivesTheNanOfTheFormats) {
  for (const BlockFormat& format : all_formats()) {
    PackedMatrix matrix = make_packed_matrix(format, 1, 64);
    for (int i = 0; i < 32; ++i) {
      matrix.codes[static_cast<size_t>(i)] = static_cast<uint8_t>(0xF8 - i);
    }
    std::fill(matrix.scales.begin(), matrix.scales.end(), uint8_t{0xFF});
    for (const EmulatorTarget target : available_targets()) {
      EXPECT_EQ(emulated(matrix, 1, target), std::vector<uint32_t>(64, kFp32Nan))
          << describe(matrix);
    }
  }
}

TEST(EmulateDequantize, MultipliesByTheTensorScaleLast) {
  std::mt19937 random(2);
  const float infinity = std::numeric_limits<float>::infinity();
  for (const BlockFormat& format : all_formats()) {
    PackedMatrix matrix = random_matrix(format, 64, 256, random);
    for (const float scale : {1.0F / 3, 0.7F, -0.7F, 1e-40F, 1e38F, 0.0F, infinity,
                              std::numeric_limits<float>::quiet_NaN()}) {
      matrix.tensor_scale = scale;
      expect_golden(matrix);
    }
  }
}

TEST(EmulateDequantize, RowsOfEveryLength) {
  std::mt19937 random(3);
  for (const BlockFormat& format : all_formats()) {
    for (int64_t k = 0; k <= 130; ++k) {
      expect_golden(random_matrix(format, 5, k, random));
    }
  }
}

TEST(EmulateDequantize, LargeMatricesOfAnyShapeAndThreads) {
  std::mt19937 random(4);
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    for (const int64_t k : {1024, 4096, 1007, 3000}) {
      const PackedMatrix matrix = random_matrix(format, (int64_t{1} << 20) / k + 1, k, random);
      expect_golden(matrix, 3);
    }
  }
}

TEST(EmulateDequantize, BitsDoNotDependOnThreads) {
  std::mt19937 random(5);
  for (const BlockFormat& format : {kMxfp4, kHif4, kNvfp4}) {
    const PackedMatrix matrix = random_matrix(format, 100, 97, random);
    const EmulatorTarget target = best_emulator_target();
    const std::vector<uint32_t> one = emulated(matrix, 1, target);
    for (const int threads : {0, 2, 3}) {
      EXPECT_EQ(emulated(matrix, threads, target), one) << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace nibblecore
