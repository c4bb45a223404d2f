// SPDX-License-Identifier: Apache-2.0
#include "model/workload/attention_lengths.hpp"

#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "model/workload/padded.hpp"
#include "tests/unit/workload/small_workload.hpp"

namespace nibblecore {
namespace {

using Counts = std::map<std::pair<int64_t, int64_t>, int64_t>;

TEST(AttentionLengths, CountsPairsOfWholeSequences) {
  AttentionLengths lengths(4);
  lengths.add_sequence(3);
  lengths.add_sequence(4);
  lengths.add_sequence(5);
  EXPECT_EQ(lengths.causal_pairs(), 6 + 10 + 15);
  EXPECT_EQ(lengths.counts(), (Counts{{{4, 4}, 2}, {{8, 8}, 1}}));
}

TEST(AttentionLengths, WithoutMultipleKeepsPairsAlone) {
  AttentionLengths lengths;
  lengths.add_sequence(3);
  lengths.add_decoding({{0, 3, 4}});
  EXPECT_EQ(lengths.causal_pairs(), 6 + 4 + 5 + 6);
  EXPECT_TRUE(lengths.counts().empty());
}

TEST(AttentionLengths, DecodingIsThatOfEveryTokenButTheFirst) {
  const std::vector<Sample> samples = draw_samples(varied_recipe(), 5);
  for (const int64_t multiple : {1, 7, 16}) {
    Counts expected;
    int64_t pairs = 0;
    for (const Sample& sample : samples) {
      for (int64_t seen = sample.prompt_tokens + 1; seen < sample.tokens(); ++seen) {
        ++expected[{1, padded(seen, multiple)}];
        pairs += seen;
      }
    }
    AttentionLengths lengths(multiple);
    lengths.add_decoding(samples);
    EXPECT_EQ(lengths.counts(), expected) << multiple;
    EXPECT_EQ(lengths.causal_pairs(), pairs);
  }
}

}  // namespace
}  // namespace nibblecore
