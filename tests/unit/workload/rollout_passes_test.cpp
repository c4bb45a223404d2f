// SPDX-License-Identifier: Apache-2.0
#include "model/workload/rollout_passes.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/unit/workload/small_workload.hpp"

namespace nibblecore {
namespace {

int64_t decoded_tokens(const std::vector<Sample>& samples) {
  int64_t tokens = 0;
  for (const Sample& sample : samples) {
    tokens += sample.response_tokens - 1;
  }
  return tokens;
}

int64_t unique_prompt_tokens(const std::vector<Sample>& samples) {
  int64_t tokens = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    tokens += i == 0 || samples[i].prompt != samples[i - 1].prompt ? samples[i].prompt_tokens : 0;
  }
  return tokens;
}

// Three slots, batches of four tokens: prompt 0 and one token of prompt 1, then its other two; the
// second sample of prompt 1 waits for a slot and decodes alone.
TEST(RolloutPasses, SmallExampleByHand) {
  const Recipe recipe = small_recipe();
  const RolloutPasses passes = schedule_rollout(draw_samples(recipe, 1), recipe);
  EXPECT_EQ(passes.prefill.phase, "rollout.prefill");
  EXPECT_EQ(passes.prefill.rows, (RowCounts{{4, 1}, {2, 1}}));
  EXPECT_EQ(passes.prefill.head_rows, (RowCounts{{1, 2}}));
  EXPECT_EQ(passes.prefill.tokens, 6);
  EXPECT_EQ(passes.decode.phase, "rollout.decode");
  EXPECT_EQ(passes.decode.rows, (RowCounts{{3, 3}, {1, 3}}));
  EXPECT_EQ(passes.decode.head_rows, passes.decode.rows);
  EXPECT_EQ(passes.decode.tokens, 12);
}

TEST(RolloutPasses, WithoutCacheEveryCopyIsComputed) {
  Recipe recipe = small_recipe();
  recipe.prefix_cache = PrefixCache::kOff;
  recipe.max_num_batched_tokens = 100;
  recipe.max_num_seqs = 4;
  const RolloutPasses passes = schedule_rollout(draw_samples(recipe, 1), recipe);
  EXPECT_EQ(passes.prefill.rows, (RowCounts{{12, 1}}));
  EXPECT_EQ(passes.prefill.head_rows, (RowCounts{{4, 1}}));
  EXPECT_EQ(passes.decode.rows, (RowCounts{{4, 3}}));
}

TEST(RolloutPasses, PromptsLongerThanABatchAreCut) {
  Recipe recipe = small_recipe();
  recipe.prompts = 1;
  recipe.samples = 1;
  recipe.prompt_tokens = fixed_length(10);
  const RolloutPasses passes = schedule_rollout(draw_samples(recipe, 1), recipe);
  EXPECT_EQ(passes.prefill.rows, (RowCounts{{4, 2}, {2, 1}}));
  EXPECT_EQ(passes.prefill.head_rows, (RowCounts{{1, 1}}));
  EXPECT_EQ(passes.prefill.attention.causal_pairs(), 55);
}

TEST(RolloutPasses, ResponsesOfOneTokenTakeNoSlot) {
  Recipe recipe = small_recipe();
  recipe.response_tokens = fixed_length(1);
  recipe.max_num_seqs = 1;
  const RolloutPasses passes = schedule_rollout(draw_samples(recipe, 1), recipe);
  EXPECT_EQ(passes.prefill.tokens, 6);
  EXPECT_TRUE(passes.decode.rows.empty());
  EXPECT_EQ(passes.decode.tokens, 0);
}

TEST(RolloutPasses, RowsArePaddedTokensAndHeadAreNot) {
  Recipe recipe = small_recipe();
  recipe.prefill_multiple = 8;
  recipe.decode_sizes = {2};
  const RolloutPasses passes = schedule_rollout(draw_samples(recipe, 1), recipe);
  EXPECT_EQ(passes.prefill.rows, (RowCounts{{8, 2}}));
  EXPECT_EQ(passes.prefill.tokens, 6);
  // A step of one sample is padded to two; one of three lies beyond all sizes.
  EXPECT_EQ(passes.decode.rows, (RowCounts{{3, 3}, {2, 3}}));
  EXPECT_EQ(passes.decode.head_rows, (RowCounts{{3, 3}, {1, 3}}));
  EXPECT_EQ(passes.decode.routed_rows, passes.decode.rows);
}

/// An engine that goes token by token and counts as it goes.
struct SlowEngine {
  RowCounts prefill;
  RowCounts decode;

  SlowEngine(const std::vector<Sample>& samples, const Recipe& recipe) {
    std::vector<int64_t> running;  // tokens that each still decodes
    size_t next = 0;
    int64_t prompt_left = samples.front().prompt_tokens;
    while (next < samples.size() || !running.empty()) {
      int64_t batch = 0;
      while (next < samples.size() && static_cast<int64_t>(running.size()) < recipe.max_num_seqs &&
             (prompt_left == 0 || batch < recipe.max_num_batched_tokens)) {
        if (prompt_left > 0) {
          --prompt_left;
          ++batch;
          continue;
        }
        if (samples[next].response_tokens > 1) {
          running.push_back(samples[next].response_tokens - 1);
        }
        ++next;
        if (next < samples.size() && samples[next].prompt != samples[next - 1].prompt) {
          prompt_left = samples[next].prompt_tokens;
        }
      }
      if (batch > 0) {
        ++prefill[batch];
        continue;
      }
      if (running.empty()) {
        continue;
      }
      ++decode[static_cast<int64_t>(running.size())];
      for (int64_t& left : running) {
        --left;
      }
      running.erase(std::remove(running.begin(), running.end(), 0), running.end());
    }
  }
};

TEST(RolloutPasses, AgreeWithAnEngineThatGoesTokenByToken) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Recipe recipe = varied_recipe();
    recipe.max_num_seqs = static_cast<int64_t>(seed);
    recipe.max_num_batched_tokens = 7 + 3 * static_cast<int64_t>(seed);
    const std::vector<Sample> samples = draw_samples(recipe, seed);
    const RolloutPasses passes = schedule_rollout(samples, recipe);
    const SlowEngine slow(samples, recipe);
    EXPECT_EQ(passes.prefill.rows, slow.prefill) << seed;
    EXPECT_EQ(passes.decode.rows, slow.decode) << seed;
  }
}

TEST(RolloutPasses, LoseNoToken) {
  for (const PrefixCache cache : {PrefixCache::kOff, PrefixCache::kOn}) {
    Recipe recipe = varied_recipe();
    recipe.prefix_cache = cache;
    const std::vector<Sample> samples = draw_samples(recipe, 2);
    const RolloutPasses passes = schedule_rollout(samples, recipe);
    const bool cached = cache == PrefixCache::kOn;
    const int64_t all_prompts =
        total_tokens(samples) - decoded_tokens(samples) - static_cast<int64_t>(samples.size());
    EXPECT_EQ(total_rows(passes.prefill.rows),
              cached ? unique_prompt_tokens(samples) : all_prompts);
    EXPECT_EQ(total_rows(passes.prefill.head_rows), cached ? 37 : 37 * 3);
    EXPECT_EQ(total_rows(passes.decode.rows), decoded_tokens(samples));
    EXPECT_EQ(passes.decode.tokens, decoded_tokens(samples));
    EXPECT_LE(passes.decode.rows.rbegin()->first, recipe.max_num_seqs);
    EXPECT_EQ(passes.decode.rows.begin()->first, 1);  // the tail
  }
}

}  // namespace
}  // namespace nibblecore
