// SPDX-License-Identifier: Apache-2.0
#include "model/workload/workload.hpp"

#include <set>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/workload/linear_layers.hpp"
#include "model/workload/model_file.hpp"
#include "model/workload/recipe_file.hpp"
#include "tests/support/input_error.hpp"
#include "tests/unit/workload/small_workload.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> phase_names(const Workload& workload) {
  std::vector<std::string> names;
  for (const PhaseTotals& phase : workload.phases) {
    names.push_back(phase.phase);
  }
  return names;
}

int64_t expert_rows(const Workload& workload, const std::string& phase) {
  int64_t rows = 0;
  for (const GemmRecord& record : workload.records) {
    if (record.phase == phase && record.kind == GemmKind::kFprop &&
        record.layer == "layers.*.mlp.experts.down_proj") {
      rows += record.m * record.count;
    }
  }
  return rows;
}

TEST(WorkloadTest, SmallExampleByHand) {
  Recipe recipe = small_recipe();
  recipe.recomputation = Recomputation::kFull;
  const Workload workload = make_workload(small_model(), recipe, 1);
  EXPECT_THAT(phase_names(workload), ElementsAre("rollout.prefill", "rollout.decode", "logprob",
                                                 "train", "train.recompute"));
  EXPECT_EQ(phase_of(workload, "rollout.prefill").macs(), 6 * 1152 + 2 * 256);
  EXPECT_EQ(phase_of(workload, "rollout.decode").macs(), 12 * 1408);
  EXPECT_EQ(phase_of(workload, "logprob").macs(), 28 * 1408);
  EXPECT_EQ(phase_of(workload, "train").macs(), 3 * 28 * 1408);
  EXPECT_EQ(phase_of(workload, "train.recompute").macs(), 28 * 1152);
  EXPECT_THAT(shown(workload, "rollout.decode layers.*.self_attn.qkv_proj"),
              ElementsAre("rollout.decode layers.*.self_attn.qkv_proj fprop 3x16x8 x 6",
                          "rollout.decode layers.*.self_attn.qkv_proj fprop 1x16x8 x 6"));
  // The trainer's projections are apart.
  EXPECT_THAT(shown(workload, "train layers.*.self_attn.k_proj fprop"),
              ElementsAre("train layers.*.self_attn.k_proj fprop 14x4x8 x 4"));
}

TEST(WorkloadTest, PassesForLogProbabilitiesAreChosen) {
  Recipe recipe = small_recipe();
  recipe.logprob = Pass::kSkip;
  recipe.reference_logprob = Pass::kCompute;
  recipe.response_tokens = fixed_length(1);
  recipe.lora_rank = 2;
  const Workload workload = make_workload(small_model(), recipe, 1);
  EXPECT_THAT(phase_names(workload), ElementsAre("rollout.prefill", "logprob.reference", "train"));
  // The reference is the base model.
  EXPECT_EQ(phase_of(workload, "logprob.reference").macs(), 16 * 1408);
}

TEST(WorkloadTest, EveryRecipeRunsWithEveryModelExactly) {
  for (const ModelFile& model : built_in_models()) {
    const int64_t forward = forward_macs(model.config);
    for (const RecipeFile& recipe : built_in_recipes()) {
      const Workload workload = make_workload(model.config, recipe.recipe, 1);
      EXPECT_EQ(workload.forward_macs, forward);
      const PhaseTotals& train = phase_of(workload, "train");
      EXPECT_EQ(train.fprop_macs, train.rows * forward) << model.name << ' ' << recipe.name;
      EXPECT_EQ(train.dgrad_macs, train.fprop_macs);
      EXPECT_EQ(train.wgrad_macs, train.fprop_macs);
      const int64_t head = model.config.hidden * model.config.vocabulary;
      const PhaseTotals& again = phase_of(workload, "train.recompute");
      EXPECT_EQ(again.macs(), again.rows * (forward - head));
      EXPECT_EQ(again.rows, train.rows);
      const PhaseTotals& logprob = phase_of(workload, "logprob");
      EXPECT_EQ(logprob.macs(), logprob.rows * forward);
      EXPECT_LT(workload.records.size(), 2000U) << model.name << ' ' << recipe.name;
    }
  }
}

// The totals say what the records say.
TEST(WorkloadTest, TotalsAreSumsOfRecordsAndNoneOccursTwice) {
  const Workload workload =
      make_workload(load_model("qwen3-30b-a3b").config, load_recipe("dapo-math").recipe, 3);
  std::set<std::tuple<std::string, std::string, GemmKind, int64_t, int64_t, int64_t, bool>> seen;
  std::map<std::string, int64_t> macs;
  int64_t id = 0;
  for (const GemmRecord& record : workload.records) {
    EXPECT_EQ(record.id, id++);
    EXPECT_TRUE(seen.insert({record.phase, record.layer, record.kind, record.m, record.n, record.k,
                             record.quantize})
                    .second);
    macs[record.phase] += record.macs();
    EXPECT_FALSE(record.has_operands());
  }
  int64_t records = 0;
  for (const PhaseTotals& phase : workload.phases) {
    EXPECT_EQ(phase.macs(), macs[phase.phase]) << phase.phase;
    records += phase.records;
  }
  EXPECT_EQ(records, id);
}

TEST(WorkloadTest, EveryTokenReachesItsExperts) {
  const Workload workload =
      make_workload(load_model("qwen3-30b-a3b").config, load_recipe("qwen3-moe").recipe, 1);
  for (const PhaseTotals& phase : workload.phases) {
    EXPECT_EQ(expert_rows(workload, phase.phase), phase.rows * 8 * 48) << phase.phase;
  }
}

TEST(WorkloadTest, RoutersAndHeadAreNotQuantizedAllElseIs) {
  const Workload workload =
      make_workload(load_model("qwen3-30b-a3b").config, load_recipe("gsm8k").recipe, 1);
  for (const GemmRecord& record : workload.records) {
    const bool kept = record.layer == "lm_head" || record.layer == "layers.*.mlp.gate";
    EXPECT_EQ(record.quantize, !kept) << record.layer;
  }
}

TEST(WorkloadTest, TheSeedDecides) {
  const ModelConfig model = small_model();
  const auto lines = [&](uint64_t seed) {
    return shown(make_workload(model, varied_recipe(), seed), "");
  };
  EXPECT_EQ(lines(1), lines(1));
  EXPECT_NE(lines(1), lines(2));
}

// Slices of all ranks together are the model: tensor slices cut its multiply-accumulates evenly
// but for the router, which every rank has whole, and for expert slices the sums over tokens.
TEST(WorkloadTest, SlicesOfOneRank) {
  const ModelConfig model = load_model("qwen3-30b-a3b").config;
  Recipe recipe = load_recipe("qwen3-moe").recipe;
  recipe.rollout.tensor = 4;
  recipe.train.data = 8;
  recipe.train.expert = 8;
  const Workload workload = make_workload(model, recipe, 1);
  EXPECT_EQ(workload.rollout_ranks, 4);
  EXPECT_EQ(workload.train_ranks, 8);
  const PhaseTotals& decode = phase_of(workload, "rollout.decode");
  const int64_t router = int64_t{48} * 128 * 2048;
  EXPECT_EQ(4 * decode.macs(), decode.rows * (forward_macs(model) + 3 * router));
  // 16 of the 128 experts, of the tokens of all eight ranks: about as many as one rank's own.
  const PhaseTotals& train = phase_of(workload, "train");
  const double share = static_cast<double>(expert_rows(workload, "train")) /
                       (static_cast<double>(train.rows) * 8 * 48);
  EXPECT_GT(share, 0.7);
  EXPECT_LT(share, 1.4);
  EXPECT_NE(share, 1);
}

// With experts shared among all tensor-parallel ranks each is whole, and one rank has a quarter.
TEST(WorkloadTest, ExpertsSharedInRollout) {
  const ModelConfig model = load_model("qwen3-30b-a3b").config;
  Recipe recipe = load_recipe("qwen3-moe").recipe;
  recipe.expert_law = {};
  recipe.rollout.tensor = 4;
  recipe.rollout.expert = 4;
  const Workload workload = make_workload(model, recipe, 1);
  for (const GemmRecord& record : workload.records) {
    if (record.phase == "rollout.decode" && record.layer == "layers.*.mlp.experts.down_proj") {
      EXPECT_EQ(record.k, 768);
      EXPECT_LE(record.m, 256 * 8 / 128);
    }
  }
  // Rollout batches of 256 sequences give each expert 16 tokens, so the sum is exact there.
  EXPECT_THAT(shown(workload, "rollout.decode layers.*.mlp.experts.down_proj fprop 16x"),
              testing::SizeIs(1));
}

TEST(WorkloadTest, SlicesThatDoNotDivideNameTheirField) {
  const auto error = [](const char* name, const Slicing& rollout, const Slicing& train) {
    Recipe recipe = load_recipe("gsm8k").recipe;
    recipe.rollout = rollout;
    recipe.train = train;
    return input_error([&] { make_workload(load_model(name).config, recipe, 1); });
  };
  EXPECT_THAT(error("qwen2.5-math-7b", {8, 1, 1}, {}),
              HasSubstr("recipe, rollout_tensor_parallel: 8 slices do not divide"));
  EXPECT_THAT(error("qwen2.5-math-7b", {}, {8, 1, 1}),
              HasSubstr("recipe, train_tensor_parallel: 8 slices do not divide"));
  EXPECT_THAT(error("qwen3-30b-a3b", {}, {1, 3, 3}),
              HasSubstr("recipe, train_expert_parallel: 3 slices do not divide the 128 experts"));
  EXPECT_EQ(error("qwen2.5-3b", {}, {1, 3, 3}), "");  // no experts to share
}

}  // namespace
}  // namespace nibblecore
