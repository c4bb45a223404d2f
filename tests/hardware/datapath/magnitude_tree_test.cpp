// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/magnitude_tree.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

template <size_t Count>
std::array<uint32_t, Count> random_magnitudes(std::mt19937& random) {
  std::array<uint32_t, Count> magnitudes{};
  for (uint32_t& magnitude : magnitudes) {
    magnitude = random() & 0x7FFFFFFF;
  }
  return magnitudes;
}

TEST(MagnitudeTree, FindsTheLargestAtEveryLeaf) {
  std::mt19937 random(1);
  for (size_t leaf = 0; leaf < 64; ++leaf) {
    auto magnitudes = random_magnitudes<64>(random);
    magnitudes[leaf] = 0x7FFFFFFF;
    EXPECT_EQ(largest_magnitude(magnitudes), 0x7FFFFFFFU) << leaf;
    magnitudes.fill(5);
    magnitudes[leaf] = 6;
    EXPECT_EQ(largest_magnitude(magnitudes), 6U) << leaf;
  }
}

TEST(MagnitudeTree, EveryLevelHoldsTheMaximaOfItsGroups) {
  std::mt19937 random(2);
  for (int round = 0; round < 1000; ++round) {
    const auto magnitudes = random_magnitudes<64>(random);
    const auto pairs = maximum_of_pairs(magnitudes);
    const auto fours = maximum_of_pairs(pairs);
    for (size_t i = 0; i < fours.size(); ++i) {
      ASSERT_EQ(fours[i],
                *std::max_element(magnitudes.begin() + static_cast<std::ptrdiff_t>(4 * i),
                                  magnitudes.begin() + static_cast<std::ptrdiff_t>(4 * i + 4)));
    }
    ASSERT_EQ(largest_magnitude(fours), *std::max_element(magnitudes.begin(), magnitudes.end()));
  }
}

TEST(MagnitudeTree, NonFiniteIsTheFullExponentField) {
  for (const uint32_t bits : {0x7F800000U, 0xFF800000U, 0x7FC00000U, 0x7F800001U, 0xFFFFFFFFU}) {
    EXPECT_TRUE(is_non_finite(bits)) << std::hex << bits;
  }
  for (const uint32_t bits : {0U, 0x80000000U, 0x7F7FFFFFU, 0xFF7FFFFFU, 0x007FFFFFU}) {
    EXPECT_FALSE(is_non_finite(bits)) << std::hex << bits;
  }
}

TEST(MagnitudeTree, ASignBitDoesNotFitTheComparators) {
  std::array<uint32_t, 32> magnitudes{};
  magnitudes[13] = 0x80000000;
  EXPECT_THROW(largest_magnitude(magnitudes), InternalError);
}

}  // namespace
}  // namespace nibblecore::hw
