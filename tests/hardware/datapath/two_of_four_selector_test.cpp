// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/two_of_four_selector.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

/// The definition: a stable order by decreasing magnitude, its first two in ascending position.
std::array<uint8_t, 2> kept_positions(const std::array<uint8_t, 4>& codes) {
  std::array<uint8_t, 4> order{0, 1, 2, 3};
  std::stable_sort(order.begin(), order.end(),
                   [&codes](uint8_t a, uint8_t b) { return (codes[a] & 7) > (codes[b] & 7); });
  return {std::min(order[0], order[1]), std::max(order[0], order[1])};
}

TEST(TwoOfFourSelector, EveryQuad) {
  constexpr std::array<uint8_t, 4> kOther{10, 11, 12, 13};
  for (uint32_t quad = 0; quad < 0x10000; ++quad) {
    std::array<uint8_t, 4> codes{};
    for (uint32_t i = 0; i < 4; ++i) {
      codes[i] = static_cast<uint8_t>((quad >> (4 * i)) & 15);
    }
    const std::array<uint8_t, 2> positions = kept_positions(codes);
    const SelectedQuad selected = select_quad(codes);
    ASSERT_EQ(selected.indices, positions[0] | (positions[1] << 2)) << std::hex << quad;
    ASSERT_EQ(selected.codes[0], codes[positions[0]]) << std::hex << quad;
    ASSERT_EQ(selected.codes[1], codes[positions[1]]) << std::hex << quad;
    const std::array<uint8_t, 2> gathered = gather_quad(kOther, selected.indices);
    ASSERT_EQ(gathered[0], 10 + positions[0]) << std::hex << quad;
    ASSERT_EQ(gathered[1], 10 + positions[1]) << std::hex << quad;
  }
}

TEST(TwoOfFourSelector, WorkedQuads) {
  EXPECT_EQ(select_quad({0, 0, 0, 0}).indices, 0b0100);   // both zeros are the lowest
  EXPECT_EQ(select_quad({0, 0, 5, 0}).indices, 0b1000);   // 0 and 2
  EXPECT_EQ(select_quad({0, 0, 0, 13}).indices, 0b1100);  // 0 and 3
  EXPECT_EQ(select_quad({3, 11, 3, 3}).indices, 0b0100);  // -3 ties with 3: the lower positions
  EXPECT_EQ(select_quad({1, 2, 15, 7}).indices, 0b1110);  // 2 and 3
  EXPECT_EQ(select_quad({8, 0, 1, 1}).indices, 0b1110);
}

TEST(TwoOfFourSelector, CodesAndIndicesHaveFourBits) {
  EXPECT_THROW(select_quad({0, 16, 0, 0}), InternalError);
  EXPECT_THROW(gather_quad({0, 0, 0, 0}, 16), InternalError);
}

}  // namespace
}  // namespace nibblecore::hw
