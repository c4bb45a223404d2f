// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/sparse_decoder.hpp"

#include <gtest/gtest.h>

#include "tests/hardware/datapath/available_targets.hpp"

namespace nibblecore::hw {
namespace {

constexpr int kLanesUsed = 18;  // a group of 16 and two
constexpr int kK = 128;

/// Row `lane`'s bytes of [lanes, bytes].
template <class Bits>
Bits* row(std::vector<Bits>& bits, size_t lane) {
  return bits.data() + lane * bits.size() / kLanesUsed;
}

TEST(SparseDecoder, ElementsAndSelectsLieInTheOrderOfTheKept) {
  for (const SimdTarget target : test::available_targets()) {
    SparseDecoder decoder(kLanesUsed, kK, target);
    SparseLanes operand(kLanesUsed, kK);
    // Lane 17, K 72 to 79: kept 1 and -4 at 0 and 3, then 6 and 0.5 at 1 and 2.
    row(operand.codes, 17)[18] = 0xE2;
    row(operand.codes, 17)[19] = 0x17;
    row(operand.indices, 17)[9] = 0b1001'1100;
    decoder.decode(ElementKind::kE2m1, operand, kK);
    const Int16Lanes* elements = decoder.elements(1) + 36;
    const Int16Lanes* selects = decoder.selects(1) + 36;
    EXPECT_EQ(elements[0][1], 2);
    EXPECT_EQ(elements[1][1], -8);
    EXPECT_EQ(elements[2][1], 12);
    EXPECT_EQ(elements[3][1], 1);
    EXPECT_EQ(selects[0][1], 0);
    EXPECT_EQ(selects[1][1], 3);
    EXPECT_EQ(selects[2][1], 1);
    EXPECT_EQ(selects[3][1], 2);
    EXPECT_EQ(elements[-1][1], 0);
    EXPECT_EQ(elements[4][1], 0);
    EXPECT_EQ(elements[0][0], 0) << "the other lane";
    EXPECT_EQ(elements[0][2], 0) << "padding";
  }
}

TEST(SparseDecoder, MicroExponentsActOnTheKeptOfTheirQuads) {
  for (const SimdTarget target : test::available_targets()) {
    SparseDecoder decoder(kLanesUsed, kK, target);
    SparseLanes operand(kLanesUsed, kK);
    std::fill(operand.codes.begin(), operand.codes.end(), uint8_t{0xB3});  // 3 and -3 quarters
    row(operand.level2, 3)[1] = 1U << 5U;
    row(operand.level3, 3)[1] = 1U << 11U;  // the second quad of that group
    decoder.decode(ElementKind::kS1p2, operand, kK);
    for (int kept = 0; kept < kK / 2; ++kept) {
      const int shifted = kept == 32 + 22 || kept == 32 + 23 ? 2 : 1;
      EXPECT_EQ(decoder.elements(0)[kept][3], (kept % 2 == 0 ? 3 : -3) * shifted) << kept;
      EXPECT_EQ(decoder.elements(0)[kept][4], kept % 2 == 0 ? 3 : -3) << kept;
    }
    for (int group = 0; group < kK / 8; ++group) {
      EXPECT_EQ(decoder.level2_factors(0)[group][3], group == 8 + 5 ? 2 : 1) << group;
      EXPECT_EQ(decoder.level2_factors(0)[group][4], 1) << group;
    }
  }
}

TEST(SparseDecoder, DecodesTheActiveBlocksAlone) {
  SparseDecoder decoder(kLanesUsed, kK, SimdTarget::kBaseline);
  SparseLanes operand(kLanesUsed, kK);
  std::fill(operand.codes.begin(), operand.codes.end(), uint8_t{0x77});
  std::fill(operand.indices.begin(), operand.indices.end(), uint8_t{0xEE});
  decoder.decode(ElementKind::kE2m1, operand, 48);
  for (int kept = 0; kept < kK / 2; ++kept) {
    const bool active = kept < 24;
    EXPECT_EQ(decoder.elements(0)[kept][0], active ? 12 : 0) << kept;
    EXPECT_EQ(decoder.selects(0)[kept][0], !active ? 0 : kept % 2 == 0 ? 2 : 3) << kept;
  }
}

}  // namespace
}  // namespace nibblecore::hw
