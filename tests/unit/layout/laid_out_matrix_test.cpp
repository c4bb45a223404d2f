// SPDX-License-Identifier: Apache-2.0
#include "model/layout/laid_out_matrix.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using Bytes = std::vector<uint8_t>;

/// Codes i mod 16 along a row; scale bytes 1, 2, 3, ... of the matrix.
PackedMatrix counting_matrix(const BlockFormat& format, int64_t rows, int64_t k) {
  PackedMatrix matrix = make_packed_matrix(format, rows, k);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < k; ++i) {
      set_packed_code(matrix.row_codes(row), i, static_cast<uint8_t>(i % 16));
    }
  }
  for (size_t i = 0; i < matrix.scales.size(); ++i) {
    matrix.scales[i] = static_cast<uint8_t>(1 + i % 255);
  }
  return matrix;
}

LaidOutMatrix laid_out(const PackedMatrix& packed, std::string_view name) {
  return lay_out(packed, layout(packed.format, name), "x");
}

TEST(LaidOutMatrix, Mxfp4RecordByHand) {
  const LaidOutMatrix matrix = laid_out(counting_matrix(kMxfp4, 1, 64), "gguf");
  ASSERT_EQ(matrix.tensors.size(), 1U);
  EXPECT_THAT(matrix.tensors[0].bytes,
              ElementsAre(1, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB,
                          0xCC, 0xDD, 0xEE, 0xFF,  //
                          2, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB,
                          0xCC, 0xDD, 0xEE, 0xFF));
}

TEST(LaidOutMatrix, Nvfp4RecordByHand) {
  PackedMatrix packed = counting_matrix(kNvfp4, 1, 64);
  packed.row_codes(0)[24] = 0x5A;  // elements 48 and 49, at the front of the last sub-block
  const LaidOutMatrix matrix = laid_out(packed, "gguf");
  ASSERT_EQ(matrix.tensors.size(), 1U);
  EXPECT_THAT(matrix.tensors[0].bytes,
              ElementsAre(1, 2, 3, 4,                                      //
                          0x80, 0x91, 0xA2, 0xB3, 0xC4, 0xD5, 0xE6, 0xF7,  //
                          0x80, 0x91, 0xA2, 0xB3, 0xC4, 0xD5, 0xE6, 0xF7,  //
                          0x80, 0x91, 0xA2, 0xB3, 0xC4, 0xD5, 0xE6, 0xF7,  //
                          0x8A, 0x95, 0xA2, 0xB3, 0xC4, 0xD5, 0xE6, 0xF7));
}

TEST(LaidOutMatrix, ScalesInPairsByHand) {
  const LaidOutMatrix matrix = laid_out(counting_matrix(kMxfp4, 2, 96), "ascend-pairs");
  EXPECT_THAT(matrix.tensors[1].bytes, ElementsAre(1, 2, 3, 0, 4, 5, 6, 0));
}

TEST(LaidOutMatrix, SwizzledScalesFromTheTileSide) {
  const int64_t rows = 129;
  const int64_t columns = 5;
  const PackedMatrix packed = counting_matrix(kMxfp4, rows, columns * 32);
  const LaidOutMatrix matrix = laid_out(packed, "swizzle-128x4");
  EXPECT_EQ(matrix.tensors[0].bytes, packed.codes);
  const Bytes& scales = matrix.tensors[1].bytes;
  ASSERT_EQ(scales.size(), 2048U);
  for (int64_t offset = 0; offset < 2048; ++offset) {
    const int64_t tile = offset / 512;
    const int64_t lane = offset % 512 / 16;
    const int64_t row = tile / 2 * 128 + offset % 16 / 4 * 32 + lane;
    const int64_t column = tile % 2 * 4 + offset % 4;
    const int expected = row < rows && column < columns ? packed.row_scales(row)[column] : 0;
    ASSERT_EQ(scales[static_cast<size_t>(offset)], expected) << offset;
  }
}

TEST(LaidOutMatrix, CellsByHand) {
  // Two rows of two units: row 0 has scale bytes 1 to 8, row 1 has 9 to 16.
  const LaidOutMatrix matrix = laid_out(counting_matrix(kHif4, 2, 128), "a6-zz");
  Bytes expected(128);
  const std::pair<size_t, Bytes> parts[] = {
      {0, {1, 2, 9, 10}}, {32, {3, 4, 11, 12}}, {64, {5, 6, 13, 14}}, {96, {7, 8, 15, 16}}};
  for (const auto& [offset, bytes] : parts) {
    std::copy(bytes.begin(), bytes.end(), expected.begin() + static_cast<int64_t>(offset));
  }
  EXPECT_EQ(matrix.tensors[1].bytes, expected);
}

TEST(LaidOutMatrix, CodesUnitByUnit) {
  PackedMatrix packed = make_packed_matrix(kHif4, 3, 128);
  for (size_t i = 0; i < packed.codes.size(); ++i) {
    packed.codes[i] = static_cast<uint8_t>(i);  // row r, unit u, byte b: 64 r + 32 u + b
  }
  const LaidOutMatrix nz = laid_out(packed, "a6-nz");
  const Bytes& codes = nz.tensors[0].bytes;
  ASSERT_EQ(codes.size(), 192U);
  EXPECT_EQ(codes[0], 0);
  EXPECT_EQ(codes[31], 31);
  EXPECT_EQ(codes[32], 64);
  EXPECT_EQ(codes[64], 128);
  EXPECT_EQ(codes[96], 32);
  EXPECT_EQ(codes[191], 191);
  EXPECT_EQ(laid_out(packed, "a6-zz").tensors[0].bytes, packed.codes);
}

TEST(LaidOutMatrix, Hif4WordsOfOneUnit) {
  PackedMatrix packed = counting_matrix(kHif4, 1, 64);
  packed.scales = {0xC5, 0x0B, 0x21, 0x87};
  const std::pair<const char*, Bytes> words[] = {
      {"low-first", {0xC5, 0x0B, 0x21, 0x87}},   {"pto", {0xC5, 0x0B, 0x21, 0x87}},
      {"cann", {0xC5, 0x0B, 0x21, 0x87}},        {"high-first", {0xC5, 0x0B, 0x21, 0x87}},
      {"unpacked", {0xC5, 0x0B, 0x21, 0x87}},    {"amct", {0xC5, 0xD0, 0x84, 0xE1}},
      {"msmodelslim", {0xE1, 0x84, 0xD0, 0xC5}}, {"hifloat4-research", {0xD0, 0xC5, 0xE1, 0x84}}};
  for (const auto& [name, bytes] : words) {
    SCOPED_TRACE(name);
    const LaidOutMatrix matrix = laid_out(packed, name);
    EXPECT_EQ(matrix.tensors[1].bytes, bytes);
    const bool high_first =
        std::string(name) == "high-first" || std::string(name) == "hifloat4-research";
    EXPECT_EQ(matrix.tensors[0].bytes[1], std::string(name) == "unpacked" ? 1
                                          : high_first                    ? 0x23
                                                                          : 0x32);
  }
}

TEST(LaidOutMatrix, PaddingIsNotRead) {
  const PackedMatrix packed = counting_matrix(kMxfp4, 33, 160);
  LaidOutMatrix matrix = laid_out(packed, "swizzle-128x4");
  for (uint8_t& byte : matrix.tensors[1].bytes) {
    byte = byte == 0 ? 0xEE : byte;
  }
  EXPECT_EQ(packed_matrix(matrix, "x").scales, packed.scales);
}

TEST(LaidOutMatrix, TensorsOfAnotherShapeAreAnError) {
  const LaidOutMatrix good = laid_out(counting_matrix(kMxfp4, 2, 96), "swizzle-128x4");
  LaidOutMatrix bad = good;
  bad.tensors[1].bytes.pop_back();
  EXPECT_THROW(packed_matrix(bad, "x"), InputError);
  bad = good;
  bad.tensors[1].shape = {1, 512};
  EXPECT_THROW(packed_matrix(bad, "x"), InputError);
  bad = good;
  bad.tensors[0].name = "blocks";
  EXPECT_THROW(packed_matrix(bad, "x"), InputError);
  bad = good;
  bad.tensors.pop_back();
  EXPECT_THROW(packed_matrix(bad, "x"), InputError);
  bad = good;
  bad.k = 32;
  EXPECT_THROW(packed_matrix(bad, "x"), InputError);
  bad = good;
  bad.rows = -1;
  EXPECT_THROW(packed_matrix(bad, "x"), InputError);
  bad = good;
  bad.layout = nullptr;
  EXPECT_THROW(packed_matrix(bad, "x"), InternalError);
  EXPECT_EQ(packed_matrix(good, "x").rows, 2);
}

TEST(LaidOutMatrix, UnpackedByteAbove15IsAnError) {
  LaidOutMatrix matrix = laid_out(counting_matrix(kNvfp4, 2, 32), "unpacked");
  matrix.tensors[0].bytes[40] = 0xFF;
  EXPECT_THROW(packed_matrix(matrix, "x"), InputError);
}

}  // namespace
}  // namespace nibblecore
