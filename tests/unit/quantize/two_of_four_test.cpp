// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/two_of_four.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/random_matrix.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using Quad = std::array<uint8_t, 4>;

std::pair<int, int> kept(const Quad& codes) {
  const KeptPair pair = largest_two_of_four(codes.data());
  return {pair.first, pair.second};
}

TEST(TwoOfFour, KeepsTheTwoLargestMagnitudes) {
  EXPECT_EQ(kept({1, 7, 3, 2}), std::make_pair(1, 2));
  EXPECT_EQ(kept({7, 1, 2, 6}), std::make_pair(0, 3));
  EXPECT_EQ(kept({0, 1, 2, 3}), std::make_pair(2, 3));
  EXPECT_EQ(kept({3, 2, 1, 0}), std::make_pair(0, 1));
  // Signs don't count: -1.5 (B) and -6 (F) are larger than 1.
  EXPECT_EQ(kept({2, 0xB, 1, 0xF}), std::make_pair(1, 3));
}

TEST(TwoOfFour, LowerIndexWinsTies) {
  EXPECT_EQ(kept({5, 5, 5, 5}), std::make_pair(0, 1));
  EXPECT_EQ(kept({1, 5, 0xD, 5}), std::make_pair(1, 2));
  EXPECT_EQ(kept({7, 3, 0xB, 3}), std::make_pair(0, 1));
  EXPECT_EQ(kept({3, 3, 7, 3}), std::make_pair(0, 2));
  EXPECT_EQ(kept({0xB, 3, 3, 7}), std::make_pair(0, 3));
}

TEST(TwoOfFour, KeptZerosAreTheLowest) {
  EXPECT_EQ(kept({0, 0, 0, 0}), std::make_pair(0, 1));
  EXPECT_EQ(kept({0, 8, 0, 8}), std::make_pair(0, 1));
  EXPECT_EQ(kept({4, 0, 0, 0}), std::make_pair(0, 1));
  EXPECT_EQ(kept({0, 4, 0, 0}), std::make_pair(0, 1));
  EXPECT_EQ(kept({0, 0, 4, 0}), std::make_pair(0, 2));
  EXPECT_EQ(kept({8, 0, 0, 4}), std::make_pair(0, 3));
}

TEST(TwoOfFour, EveryQuadEqualsASortByMagnitude) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    Quad codes{};
    for (size_t i = 0; i < codes.size(); ++i) {
      codes[i] = static_cast<uint8_t>((bits >> (4 * i)) & 15);
    }
    std::array<int, 4> order{0, 1, 2, 3};
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return codes[static_cast<size_t>(a)] % 8 > codes[static_cast<size_t>(b)] % 8;
    });
    ASSERT_EQ(kept(codes),
              std::make_pair(std::min(order[0], order[1]), std::max(order[0], order[1])))
        << std::hex << bits;
  }
}

TEST(TwoOfFour, MetadataOfEveryPair) {
  EXPECT_EQ((KeptPair{0, 1}.metadata()), 0x4);
  EXPECT_EQ((KeptPair{0, 2}.metadata()), 0x8);
  EXPECT_EQ((KeptPair{0, 3}.metadata()), 0xC);
  EXPECT_EQ((KeptPair{1, 2}.metadata()), 0x9);
  EXPECT_EQ((KeptPair{1, 3}.metadata()), 0xD);
  EXPECT_EQ((KeptPair{2, 3}.metadata()), 0xE);
}

TEST(TwoOfFour, MatrixAndMetadata) {
  PackedMatrix matrix = make_packed_matrix(kNvfp4, 2, 16);
  matrix.tensor_scale = 0.25F;
  matrix.scales = {0x38, 0x7F};
  // Quads of row 0: 1 7 3 2 | A 0 0 0 | 0 0 0 0 | 5 5 5 D
  matrix.codes = {0x71, 0x23, 0x0A, 0x00, 0x00, 0x00, 0x55, 0xD5,
                  // row 1, under a NaN scale: 3 3 3 3 four times
                  0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33, 0x33};
  const TwoOfFour result = select_two_of_four(matrix, 1);
  EXPECT_THAT(result.selected.codes, ElementsAre(0x70, 0x03, 0x0A, 0x00, 0x00, 0x00, 0x55, 0x00,  //
                                                 0x33, 0x00, 0x33, 0x00, 0x33, 0x00, 0x33, 0x00));
  EXPECT_THAT(result.metadata, ElementsAre(0x49, 0x44, 0x44, 0x44));
  EXPECT_EQ(result.selected.scales, matrix.scales);
  EXPECT_EQ(result.selected.tensor_scale, 0.25F);
  EXPECT_EQ(result.selected.k, 16);
}

TEST(TwoOfFour, TailsCountTheirPaddingAsZeros) {
  PackedMatrix matrix = make_packed_matrix(kMxfp4, 1, 5);
  for (int64_t i = 0; i < 5; ++i) {
    set_packed_code(matrix.row_codes(0), i, static_cast<uint8_t>(i + 1));
  }
  const TwoOfFour result = select_two_of_four(matrix, 1);
  EXPECT_EQ(result.selected.codes[0], 0x00);
  EXPECT_EQ(result.selected.codes[1], 0x43);
  EXPECT_EQ(result.selected.codes[2], 0x05);
  EXPECT_THAT(result.metadata, ElementsAre(0x4E, 0x44, 0x44, 0x44));
}

TEST(TwoOfFour, ThreadsDoNotChangeResults) {
  std::mt19937 random(1);
  const PackedMatrix matrix = test::random_matrix(kHif4, 101, 200, random);
  const TwoOfFour one = select_two_of_four(matrix, 1);
  EXPECT_EQ(one.metadata.size(), size_t{101} * 32);
  for (const int threads : {0, 2, 5}) {
    const TwoOfFour several = select_two_of_four(matrix, threads);
    EXPECT_EQ(several.selected.codes, one.selected.codes);
    EXPECT_EQ(several.metadata, one.metadata);
  }
}

}  // namespace
}  // namespace nibblecore
