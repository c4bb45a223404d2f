// SPDX-License-Identifier: Apache-2.0
#include "hw/units/piece_reader.hpp"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace nibblecore::hw {
namespace {

using Bytes = std::vector<uint8_t>;

bool kept(const OnlinePiece& piece, int64_t row, int64_t k) {
  UnquantizedBlock block;
  read_block(piece, row, k / piece.block, block);
  return ((block.keep >> (k % piece.block)) & 1) != 0;
}

/// Expects that bit `bit` behind the values keeps the elements that `covers` names, and no others.
template <class Covers>
void expect_bit(OnlinePiece piece, int64_t value_bytes, int64_t mask_bits, int64_t bit,
                Covers covers) {
  Bytes bytes(static_cast<size_t>(value_bytes + (mask_bits + 7) / 8));
  bytes.at(static_cast<size_t>(value_bytes + bit / 8)) = static_cast<uint8_t>(1U << (bit % 8));
  piece.bytes = bytes.data();
  for (int64_t row = 0; row < piece.rows; ++row) {
    for (int64_t k = 0; k < piece.k; ++k) {
      ASSERT_EQ(kept(piece, row, k), covers(row, k))
          << "bit " << bit << ", row " << row << ", element " << k << ", block " << piece.block;
    }
  }
}

TEST(PieceReaderTest, Bf16AndFp32ValuesAreReadAndTheTailIsPadded) {
  const std::vector<uint16_t> halves{1, 2, 3, 0x8004, 5, 6};
  UnquantizedBlock block;
  block.values.fill(0xFFFFFFFF);
  read_block({reinterpret_cast<const uint8_t*>(halves.data()), OperandPath::kOnlineBf16, 2, 3, 16,
              ResidualPattern::kNone},
             1, 0, block);
  EXPECT_EQ(block.tag, (BlockTag{1, 0}));
  EXPECT_EQ(block.values[0], 0x80040000U);
  EXPECT_EQ(block.values[2], 0x00060000U);
  for (size_t i = 3; i < block.values.size(); ++i) {
    ASSERT_EQ(block.values.at(i), 0U);
  }
  EXPECT_EQ(block.keep, kKeepAll);

  std::vector<uint32_t> words(size_t{2} * 20);
  for (size_t i = 0; i < words.size(); ++i) {
    words[i] = static_cast<uint32_t>(0x3F800000 + i);
  }
  read_block({reinterpret_cast<const uint8_t*>(words.data()), OperandPath::kOnlineFp32, 2, 20, 16,
              ResidualPattern::kNone},
             1, 1, block);
  EXPECT_EQ(block.values[0], words[36]);
  EXPECT_EQ(block.values[3], words[39]);
  EXPECT_EQ(block.values[4], 0U);
}

TEST(PieceReaderTest, EveryBitOfAChannelMaskKeepsItsChannelInEveryRow) {
  constexpr int64_t kRows = 3;
  constexpr int64_t kK = 75;
  for (const int block : {16, 32, 64}) {
    for (int64_t bit = 0; bit < kK; ++bit) {
      expect_bit({nullptr, OperandPath::kOnlineBf16, kRows, kK, block, ResidualPattern::kChannel50},
                 kRows * kK * 2, kK, bit, [bit](int64_t, int64_t k) { return k == bit; });
    }
  }
}

TEST(PieceReaderTest, EveryBitOfATileMaskKeepsItsTile) {
  constexpr int64_t kRows = 70;  // 3 rows of tiles, 3 tiles a row
  constexpr int64_t kK = 150;
  for (const int block : {16, 32, 64}) {
    for (int64_t bit = 0; bit < 9; ++bit) {
      expect_bit(
          {nullptr, OperandPath::kOnlineFp32, kRows, kK, block, ResidualPattern::kBlock32x64At50},
          kRows * kK * 4, 9, bit,
          [bit](int64_t row, int64_t k) { return row / 32 * 3 + k / 64 == bit; });
    }
  }
}

}  // namespace
}  // namespace nibblecore::hw
