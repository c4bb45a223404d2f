// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/lane_words.hpp"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace nibblecore::hw {
namespace {

constexpr ptrdiff_t kWords = 5;

/// Gathers `count` words of every lane of [lanes, 5], word i of lane l being 5 * l + i, and expects
/// them in their lanes, and 0 everywhere else.
template <class Word>
void check(int lanes, ptrdiff_t count) {
  std::vector<Word> data(static_cast<size_t>(lanes) * kWords);
  std::iota(data.begin(), data.end(), Word{0});
  LaneWords<Word> words(lanes, kWords);
  words.gather(data.data(), count);
  for (ptrdiff_t lane = 0; lane < padded_lanes(lanes); ++lane) {
    for (ptrdiff_t i = 0; i < kWords; ++i) {
      const bool taken = lane < lanes && i < count;
      EXPECT_EQ(words.words(lane / kLanes)[i][lane % kLanes], taken ? kWords * lane + i : 0)
          << "word " << i << " of lane " << lane << " of " << lanes;
    }
  }
}

TEST(LaneWords, LieInTheirLanes) {
  for (const int lanes : {1, 15, 16, 17, 32, 50}) {
    for (const ptrdiff_t count : {0, 3, 5}) {
      check<uint8_t>(lanes, count);
      check<uint16_t>(lanes, count);
    }
  }
}

TEST(LaneWords, TheFirstByteOfAWordIsTheLowOne) {
  const std::vector<uint8_t> bytes{0x34, 0x92};
  LaneWords<uint16_t> words(1, 1);
  words.gather(bytes.data(), 1);
  EXPECT_EQ(static_cast<uint16_t>(words.words(0)[0][0]), 0x9234);
}

}  // namespace
}  // namespace nibblecore::hw
