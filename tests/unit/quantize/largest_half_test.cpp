// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/largest_half.hpp"

#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/random_matrix.hpp"

namespace nibblecore {
namespace {

using testing::Each;
using testing::ElementsAre;
using Flags = std::vector<uint8_t>;

int64_t count(const Flags& flags) {
  return std::accumulate(flags.begin(), flags.end(), int64_t{0});
}

/// MXFP4 [rows, k] of zeros under scale 1.
PackedMatrix zeros(int64_t rows, int64_t k) {
  PackedMatrix matrix = make_packed_matrix(kMxfp4, rows, k);
  std::fill(matrix.scales.begin(), matrix.scales.end(), uint8_t{127});
  return matrix;
}

TEST(LargestChannels, SumTheSquaresOfAllRows) {
  PackedMatrix matrix = zeros(3, 4);
  // Squares: channel 0: 16, 1: 4 + 4 + 9 = 17, 2: 0, 3: 9 + 9 = 18.
  set_packed_code(matrix.row_codes(0), 0, 0x6);
  set_packed_code(matrix.row_codes(0), 1, 0x4);
  set_packed_code(matrix.row_codes(1), 1, 0xC);
  set_packed_code(matrix.row_codes(2), 1, 0x5);
  set_packed_code(matrix.row_codes(1), 3, 0xD);
  set_packed_code(matrix.row_codes(2), 3, 0x5);
  EXPECT_THAT(largest_channels(matrix, 1), ElementsAre(0, 1, 0, 1));
}

TEST(LargestChannels, LowerChannelWinsTiesAndHalfIsRoundedDown) {
  for (const int64_t k : {0, 1, 2, 5, 32, 33, 40}) {
    PackedMatrix matrix = zeros(2, k);
    Flags expected(static_cast<size_t>(k));
    std::fill_n(expected.begin(), k / 2, uint8_t{1});
    EXPECT_EQ(largest_channels(matrix, 1), expected) << k;
    for (int64_t i = 0; i < k; ++i) {
      set_packed_code(matrix.row_codes(i % 2), i, static_cast<uint8_t>(i % 3 == 0 ? 0xC : 0x4));
    }
    EXPECT_EQ(largest_channels(matrix, 1), expected) << k;
  }
}

TEST(LargestChannels, ScalesCount) {
  PackedMatrix matrix = zeros(1, 64);
  for (int64_t i = 0; i < 64; ++i) {
    set_packed_code(matrix.row_codes(0), i, i < 32 ? 0x7 : 0x1);
  }
  matrix.scales = {127, 131};  // 6 against 0.5 * 16
  Flags expected(64);
  std::fill(expected.begin() + 32, expected.end(), uint8_t{1});
  EXPECT_EQ(largest_channels(matrix, 1), expected);
  matrix.scales = {127, 130};
  EXPECT_EQ(largest_channels(matrix, 1), Flags(expected.rbegin(), expected.rend()));
}

// FP64 sums would be equal: the channels differ by 2^-254 times what they hold, or in the order of
// their rows.
TEST(LargestChannels, SumsAreComparedExactly) {
  PackedMatrix matrix = zeros(3, 2);
  matrix.scales = {254, 0, 0};
  set_packed_code(matrix.row_codes(0), 0, 0x7);
  set_packed_code(matrix.row_codes(0), 1, 0x7);
  set_packed_code(matrix.row_codes(1), 1, 0x1);
  EXPECT_THAT(largest_channels(matrix, 1), ElementsAre(0, 1));
  set_packed_code(matrix.row_codes(2), 0, 0x9);
  EXPECT_THAT(largest_channels(matrix, 1), ElementsAre(1, 0));
  set_packed_code(matrix.row_codes(2), 1, 0x1);
  EXPECT_THAT(largest_channels(matrix, 1), ElementsAre(0, 1));
}

TEST(LargestChannels, ValuesBeyondFp32Count) {
  PackedMatrix matrix = zeros(1, 2);
  matrix.scales = {254};
  set_packed_code(matrix.row_codes(0), 0, 0x6);  // 4 * 2^127, infinity in FP32
  set_packed_code(matrix.row_codes(0), 1, 0x7);  // 6 * 2^127
  EXPECT_THAT(largest_channels(matrix, 1), ElementsAre(0, 1));
}

TEST(LargestChannels, NanIsLargest) {
  PackedMatrix matrix = zeros(2, 96);
  for (int64_t i = 0; i < 96; ++i) {
    set_packed_code(matrix.row_codes(0), i, i < 64 ? 0x7 : 0);
  }
  matrix.scales[3 + 2] = 255;  // of the last 32 channels, all zero
  const Flags selected = largest_channels(matrix, 1);
  for (int64_t i = 0; i < 96; ++i) {
    EXPECT_EQ(selected[static_cast<size_t>(i)], i < 16 || i >= 64 ? 1 : 0) << i;
  }
}

TEST(LargestChannels, TensorScalePlaysNoPart) {
  std::mt19937 random(2);
  PackedMatrix matrix = test::random_matrix(kNvfp4, 5, 50, random);
  const Flags expected = largest_channels(matrix, 1);
  EXPECT_EQ(count(expected), 25);
  matrix.tensor_scale = 0;
  EXPECT_EQ(largest_channels(matrix, 1), expected);
}

TEST(LargestTiles, AreOf32RowsBy64Channels) {
  PackedMatrix matrix = zeros(64, 128);
  // The largest element alone in tile 3; many small ones spread over tile 1, just more in sum.
  set_packed_code(matrix.row_codes(63), 127, 0x7);
  for (int64_t row = 0; row < 32; ++row) {
    set_packed_code(matrix.row_codes(row), 64 + row, 0x2);
  }
  set_packed_code(matrix.row_codes(31), 64, 0xC);
  set_packed_code(matrix.row_codes(0), 127, 0x2);
  EXPECT_THAT(largest_tiles(matrix, 1), ElementsAre(0, 1, 0, 1));
  set_packed_code(matrix.row_codes(31), 0, 0x7);
  set_packed_code(matrix.row_codes(0), 63, 0x1);
  // 36.25 in tile 0, 37 in tile 1, 0 in tile 2, 36 in tile 3.
  EXPECT_THAT(largest_tiles(matrix, 1), ElementsAre(1, 1, 0, 0));
}

TEST(LargestTiles, LowerIndexWinsTiesAndEdgesAreTiles) {
  EXPECT_THAT(largest_tiles(zeros(1, 1), 1), ElementsAre(0));
  EXPECT_THAT(largest_tiles(zeros(33, 1), 1), ElementsAre(1, 0));
  EXPECT_THAT(largest_tiles(zeros(32, 65), 1), ElementsAre(1, 0));
  EXPECT_THAT(largest_tiles(zeros(33, 129), 1), ElementsAre(1, 1, 1, 0, 0, 0));
  PackedMatrix matrix = zeros(33, 130);
  set_packed_code(matrix.row_codes(32), 129, 0x1);
  set_packed_code(matrix.row_codes(32), 63, 0x1);
  set_packed_code(matrix.row_codes(31), 64, 0x1);
  EXPECT_THAT(largest_tiles(matrix, 1), ElementsAre(0, 1, 0, 1, 0, 1));
}

TEST(LargestTiles, NanIsLargestAndScalesCount) {
  PackedMatrix matrix = zeros(64, 128);
  std::fill(matrix.codes.begin(), matrix.codes.end(), 0x11);
  matrix.row_scales(40)[3] = 255;
  matrix.row_scales(20)[2] = 129;
  EXPECT_THAT(largest_tiles(matrix, 1), ElementsAre(0, 1, 0, 1));
}

TEST(LargestHalf, ThreadsDoNotChangeResults) {
  std::mt19937 random(3);
  for (const BlockFormat& format : kBlockFormats) {
    const PackedMatrix matrix = test::random_matrix(format, 200, 500, random);
    const Flags channels = largest_channels(matrix, 1);
    const Flags tiles = largest_tiles(matrix, 1);
    EXPECT_EQ(count(channels), 250);
    EXPECT_EQ(count(tiles), 28);
    for (const int threads : {0, 2, 5}) {
      EXPECT_EQ(largest_channels(matrix, threads), channels);
      EXPECT_EQ(largest_tiles(matrix, threads), tiles);
    }
  }
}

TEST(LargestHalf, EmptyMatrices) {
  EXPECT_THAT(largest_channels(zeros(0, 4), 1), ElementsAre(1, 1, 0, 0));
  EXPECT_TRUE(largest_tiles(zeros(0, 4), 1).empty());
  EXPECT_TRUE(largest_tiles(zeros(4, 0), 1).empty());
}

}  // namespace
}  // namespace nibblecore
