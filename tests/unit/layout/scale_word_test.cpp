// SPDX-License-Identifier: Apache-2.0
#include "model/layout/scale_word.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nibblecore {
namespace {

using testing::ElementsAre;
using Bytes = std::array<uint8_t, 4>;

constexpr ScaleWord kWords[] = {kPtoWord, kAmctWord, kMsModelSlimWord, kHiFloat4ResearchWord};

// E6M2 0xC5; level 2: groups 0, 1, 3; level 3: groups 0, 5 and 8, 9, 10, 15.
constexpr Bytes kScale{0xC5, 0x0B, 0x21, 0x87};

TEST(ScaleWord, OneUnitByHand) {
  EXPECT_THAT(write_scale_word(kPtoWord, kScale), ElementsAre(0xC5, 0x0B, 0x21, 0x87));
  EXPECT_THAT(write_scale_word(kAmctWord, kScale), ElementsAre(0xC5, 0xD0, 0x84, 0xE1));
  // 0xC5D084E1
  EXPECT_THAT(write_scale_word(kMsModelSlimWord, kScale), ElementsAre(0xE1, 0x84, 0xD0, 0xC5));
  // 0xC5D0, 0x84E1
  EXPECT_THAT(write_scale_word(kHiFloat4ResearchWord, kScale), ElementsAre(0xD0, 0xC5, 0xE1, 0x84));
}

uint32_t little_endian_word(const Bytes& bytes) {
  uint32_t word = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    word |= static_cast<uint32_t>(bytes[i]) << (8 * i);
  }
  return word;
}

TEST(ScaleWord, BitOfEveryGroup) {
  for (int group = 0; group < 8; ++group) {
    const Bytes scale{0, static_cast<uint8_t>(1 << group), 0, 0};
    SCOPED_TRACE(group);
    EXPECT_EQ(little_endian_word(write_scale_word(kPtoWord, scale)), 1U << (8 + group));
    EXPECT_EQ(write_scale_word(kAmctWord, scale)[1], 1 << (7 - group));
    EXPECT_EQ(little_endian_word(write_scale_word(kMsModelSlimWord, scale)), 1U << (23 - group));
    EXPECT_EQ(little_endian_word(write_scale_word(kHiFloat4ResearchWord, scale)),
              1U << (7 - group));
  }
  for (int group = 0; group < 16; ++group) {
    const int field = 1 << group;
    const Bytes scale{0, 0, static_cast<uint8_t>(field & 0xFF), static_cast<uint8_t>(field >> 8)};
    SCOPED_TRACE(group);
    EXPECT_EQ(little_endian_word(write_scale_word(kPtoWord, scale)), 1U << (16 + group));
    EXPECT_EQ(write_scale_word(kAmctWord, scale)[group < 8 ? 2 : 3], 1 << (7 - group % 8));
    EXPECT_EQ(little_endian_word(write_scale_word(kMsModelSlimWord, scale)), 1U << (15 - group));
    EXPECT_EQ(little_endian_word(write_scale_word(kHiFloat4ResearchWord, scale)),
              1U << (31 - group));
  }
}

TEST(ScaleWord, E6m2KeepsItsBits) {
  for (const ScaleWord& word : kWords) {
    const Bytes bytes = write_scale_word(word, {0x13, 0, 0, 0});
    EXPECT_EQ(bytes[word.position[0]], 0x13);
  }
}

TEST(ScaleWord, ComesBack) {
  for (const ScaleWord& word : kWords) {
    EXPECT_EQ(read_scale_word(word, write_scale_word(word, kScale)), kScale);
    // And bytes of a peer, read and written again.
    EXPECT_EQ(write_scale_word(word, read_scale_word(word, kScale)), kScale);
  }
}

}  // namespace
}  // namespace nibblecore
