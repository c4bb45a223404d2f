// SPDX-License-Identifier: Apache-2.0
#include "model/workload/trainer_passes.hpp"

#include <gtest/gtest.h>

#include "tests/unit/workload/small_workload.hpp"

namespace nibblecore {
namespace {

// Four samples of seven tokens: three fill the 21 of a log-probability batch, two the 14 of a
// mini-batch of one prompt.
TEST(TrainerPasses, SmallExampleByHand) {
  const Recipe recipe = small_recipe();
  const std::vector<Sample> samples = draw_samples(recipe, 1);
  const PhasePasses logprob = logprob_passes("logprob", samples, recipe);
  EXPECT_EQ(logprob.phase, "logprob");
  EXPECT_EQ(logprob.rows, (RowCounts{{21, 1}, {7, 1}}));
  EXPECT_EQ(logprob.head_rows, logprob.rows);
  EXPECT_EQ(logprob.routed_rows, logprob.rows);
  EXPECT_EQ(logprob.tokens, 28);
  EXPECT_EQ(logprob.attention.causal_pairs(), 4 * 28);
  const PhasePasses train = train_passes(samples, recipe);
  EXPECT_EQ(train.phase, "train");
  EXPECT_EQ(train.rows, (RowCounts{{14, 2}}));
}

TEST(TrainerPasses, MicroBatchesEndWithTheirMiniBatch) {
  Recipe recipe = small_recipe();
  recipe.train_micro_batch.tokens = 21;
  EXPECT_EQ(train_passes(draw_samples(recipe, 1), recipe).rows, (RowCounts{{14, 2}}));
  recipe.prompts = 3;
  recipe.mini_batch_prompts = 2;  // the last mini-batch has one prompt
  EXPECT_EQ(train_passes(draw_samples(recipe, 1), recipe).rows,
            (RowCounts{{21, 1}, {7, 1}, {14, 1}}));
}

TEST(TrainerPasses, RowsArePadded) {
  Recipe recipe = small_recipe();
  recipe.micro_batch_multiple = 8;
  const PhasePasses passes = logprob_passes("logprob", draw_samples(recipe, 1), recipe);
  EXPECT_EQ(passes.rows, (RowCounts{{24, 1}, {8, 1}}));
  EXPECT_EQ(passes.tokens, 28);
}

TEST(TrainerPasses, LoseNoToken) {
  for (const Packing packing : {Packing::kInOrder, Packing::kBalanced}) {
    Recipe recipe = varied_recipe();
    recipe.packing = packing;
    const std::vector<Sample> samples = draw_samples(recipe, 6);
    for (const PhasePasses& passes :
         {logprob_passes("logprob", samples, recipe), train_passes(samples, recipe)}) {
      EXPECT_EQ(passes.tokens, total_tokens(samples));
      EXPECT_EQ(total_rows(passes.rows), total_tokens(samples));
    }
  }
}

TEST(TrainerPasses, RankZeroHasItsShareOfEachMiniBatch) {
  Recipe recipe = small_recipe();
  recipe.train.data = 2;
  const std::vector<Sample> samples = draw_samples(recipe, 1);
  EXPECT_EQ(train_passes(samples, recipe).rows, (RowCounts{{7, 2}}));
  EXPECT_EQ(logprob_passes("logprob", samples, recipe).rows, (RowCounts{{14, 1}}));
}

// Ranks that share experts route the tokens of their micro-batches of one number together.
TEST(TrainerPasses, ExpertRanksRouteTogether) {
  Recipe recipe = small_recipe();
  recipe.train.data = 2;
  recipe.train.expert = 2;
  recipe.prompts = 3;
  recipe.samples = 1;
  recipe.mini_batch_prompts = 3;
  recipe.train_micro_batch.tokens = 7;
  const PhasePasses passes = train_passes(draw_samples(recipe, 1), recipe);
  EXPECT_EQ(passes.rows, (RowCounts{{7, 2}}));
  EXPECT_EQ(passes.routed_rows, (RowCounts{{14, 1}, {7, 1}}));
}

}  // namespace
}  // namespace nibblecore
