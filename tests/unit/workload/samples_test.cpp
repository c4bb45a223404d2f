// SPDX-License-Identifier: Apache-2.0
#include "model/workload/samples.hpp"

#include <set>

#include <gtest/gtest.h>

#include "tests/unit/workload/small_workload.hpp"

namespace nibblecore {
namespace {

TEST(Samples, PromptAfterPromptWithOneLengthEach) {
  const Recipe recipe = varied_recipe();
  const std::vector<Sample> samples = draw_samples(recipe, 4);
  ASSERT_EQ(samples.size(), 37U * 3U);
  std::set<int64_t> prompt_lengths;
  std::set<int64_t> response_lengths;
  for (size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(samples[i].prompt, static_cast<int64_t>(i / 3));
    EXPECT_EQ(samples[i].prompt_tokens, samples[i / 3 * 3].prompt_tokens);
    prompt_lengths.insert(samples[i].prompt_tokens);
    response_lengths.insert(samples[i].response_tokens);
  }
  EXPECT_GT(prompt_lengths.size(), 10U);
  EXPECT_GT(response_lengths.size(), 25U);
}

TEST(Samples, FollowTheSeedAlone) {
  const Recipe recipe = varied_recipe();
  EXPECT_EQ(total_tokens(draw_samples(recipe, 4)), total_tokens(draw_samples(recipe, 4)));
  EXPECT_NE(total_tokens(draw_samples(recipe, 4)), total_tokens(draw_samples(recipe, 5)));
  // More samples a prompt leave the prompts as they are.
  Recipe more = recipe;
  more.samples = 4;
  EXPECT_EQ(draw_samples(more, 4).back().prompt_tokens,
            draw_samples(recipe, 4).back().prompt_tokens);
}

TEST(Shares, CoverAllAndDifferByOneAtMost) {
  for (const int64_t count : {1, 5, 64, 1000}) {
    for (const int64_t parts : {1, 3, 8}) {
      int64_t end = 0;
      for (int64_t part = 0; part < parts; ++part) {
        const Share share = share_of(count, parts, part);
        EXPECT_EQ(share.begin, end);
        EXPECT_GE(share.end - share.begin, count / parts);
        EXPECT_LE(share.end - share.begin, (count + parts - 1) / parts);
        end = share.end;
      }
      EXPECT_EQ(end, count);
    }
  }
  EXPECT_EQ(share_of(2, 5, 0).end, 1);
}

}  // namespace
}  // namespace nibblecore
