// SPDX-License-Identifier: Apache-2.0
#include "model/workload/micro_batches.hpp"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/workload/small_workload.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(MicroBatches, InOrderAreFilledToEitherLimit) {
  EXPECT_THAT(pack_micro_batches({5, 5, 4, 1, 10, 2}, {10, 0}, Packing::kInOrder),
              ElementsAre(10, 5, 10, 2));
  EXPECT_THAT(pack_micro_batches({1, 1, 1, 1, 9}, {10, 3}, Packing::kInOrder), ElementsAre(3, 10));
  EXPECT_THAT(pack_micro_batches({}, {10, 0}, Packing::kInOrder), IsEmpty());
}

TEST(MicroBatches, BalancedHoldNearlyAsMuchEach) {
  EXPECT_THAT(pack_micro_batches({1, 2, 3, 4, 5, 6}, {12, 0}, Packing::kBalanced),
              ElementsAre(11, 10));
  EXPECT_THAT(pack_micro_batches({}, {10, 0}, Packing::kBalanced), IsEmpty());
  // Three of 6 do not fit two of 10, though 18 tokens would.
  EXPECT_THAT(pack_micro_batches({6, 6, 6}, {10, 0}, Packing::kBalanced), ElementsAre(6, 6, 6));
  EXPECT_THAT(pack_micro_batches({9, 1, 1, 1}, {100, 2}, Packing::kBalanced), ElementsAre(10, 2));
}

TEST(MicroBatches, HoldEveryTokenWithinTheLimits) {
  std::vector<int64_t> lengths;
  for (const Sample& sample : draw_samples(varied_recipe(), 3)) {
    lengths.push_back(sample.tokens());
  }
  const int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
  for (const Packing packing : {Packing::kInOrder, Packing::kBalanced}) {
    for (const int64_t limit : {63, 100, 1000, 100'000}) {
      for (const int64_t sequences : {0, 1, 5}) {
        const std::vector<int64_t> batches =
            pack_micro_batches(lengths, {limit, sequences}, packing);
        EXPECT_EQ(std::accumulate(batches.begin(), batches.end(), int64_t{0}), tokens);
        EXPECT_LE(*std::max_element(batches.begin(), batches.end()), limit);
        EXPECT_GT(*std::min_element(batches.begin(), batches.end()), 0);
        if (sequences > 0) {
          EXPECT_GE(static_cast<int64_t>(batches.size()) * sequences,
                    static_cast<int64_t>(lengths.size()));
        }
      }
    }
  }
}

}  // namespace
}  // namespace nibblecore
