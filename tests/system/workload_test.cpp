// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <boost/json/object.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/support/expect_refused.hpp"
#include "tests/system/support/program.hpp"
#include "tests/system/support/report.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

class WorkloadCommand : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }

  Arguments arguments(const std::string& model, const std::string& recipe) const {
    return {"workload", "--model", model, "--recipe", recipe, "-o", path("trace")};
  }

  TemporaryFolder folder;
};

TEST_F(WorkloadCommand, SaysWhatItWroteAndWhatNot) {
  const ProgramRun run = run_program(arguments("qwen2.5-3b", "gsm8k"));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, HasSubstr("qwen2.5-3b, recipe gsm8k, seed 1: one step of 1,024 prompts "
                                 "with 5 responses each"));
  EXPECT_THAT(run.out,
              HasSubstr("MAC a token, whole model: 3,085,697,024 forward\n"
                        "MAC a row of train on one rank: 3,085,697,024 fprop, "
                        "9,257,091,072 fprop + dgrad + wgrad\n"
                        "MAC a row of train.recompute, apart from these: 2,774,532,096\n"));
  for (const char* const part :
       {"\nrollout.prefill ", "\nrollout.decode ", "\nlogprob ", "\nlogprob.reference ", "\ntrain ",
        "\ntrain.recompute ", "\nranks: rollout 1 (", "\nrecords: ",
        "\nleft out: attention's products", "\nleft out: embedding lookup", "\nnote: "}) {
    EXPECT_THAT(run.out, HasSubstr(part));
  }
  EXPECT_THAT(folder.entries(), ElementsAre("trace"));
}

TEST_F(WorkloadCommand, EqualSeedsGiveEqualFiles) {
  const auto files = [&](const char* seed) {
    Arguments seeded = arguments("qwen3-30b-a3b", "qwen3-moe");
    seeded.insert(seeded.end(), {"--seed", seed});
    EXPECT_EQ(run_program(seeded).exit_code, 0);
    return read_bytes(folder.path() / "trace" / "gemms.jsonl") +
           read_bytes(folder.path() / "trace" / "workload.json");
  };
  const std::string first = files("1");
  EXPECT_NE(files("2"), first);
  EXPECT_EQ(files("1"), first);
}

TEST_F(WorkloadCommand, AReplayTimesTheStep) {
  const auto config = folder.write(
      "config.json", R"({"model_type": "qwen2", "hidden_size": 128, "intermediate_size": 384,
                         "num_hidden_layers": 4, "num_attention_heads": 4,
                         "num_key_value_heads": 2, "vocab_size": 320})");
  const auto recipe =
      folder.write("mine.json", R"({"name": "mine", "description": "few prompts", "base": "gsm8k",
                       "fields": {"prompts": 8, "mini_batch_prompts": 4}})");
  ASSERT_EQ(run_program(arguments(config.string(), recipe.string())).exit_code, 0);
  const Report report = replay_report(path("trace"), {"--fidelity", "timing"});
  int64_t rows = 0;
  for (const json::value& gemm : report.gemms()) {
    const json::object& fields = gemm.as_object();
    EXPECT_EQ(fields.at("quantized").as_bool(), fields.at("layer") != "lm_head");
    if (fields.at("phase") == "train.recompute" && fields.at("layer") == "layers.*.mlp.down_proj") {
      rows += integer(fields, "m") * integer(fields, "count");
      EXPECT_GT(integer(fields, "cycles"), 0);
    }
  }
  // Two mini-batches of 20 samples in four layers, each padded to whole 256 rows.
  EXPECT_GT(rows, 4 * 40 * (40 + 16));
  EXPECT_EQ(rows % (4 * 256), 0);
}

TEST_F(WorkloadCommand, ListsModelsAndRecipes) {
  const ProgramRun models = run_program({"list", "models"});
  EXPECT_EQ(models.exit_code, 0);
  for (const char* const text : {"3,085,697,024", "7,070,285,824", "3,041,656,832",
                                 "https://huggingface.co/Qwen/Qwen3-30B-A3B"}) {
    EXPECT_THAT(models.out, HasSubstr(text));
  }
  const ProgramRun recipes = run_program({"list", "recipes"});
  EXPECT_EQ(recipes.exit_code, 0);
  for (const char* const text : {"gsm8k: ", "math: ", "dapo-math: ", "qwen3-moe: ",
                                 "max_num_batched_tokens", "assumed by this project"}) {
    EXPECT_THAT(recipes.out, HasSubstr(text));
  }
}

TEST_F(WorkloadCommand, RefusesWhatItCannotUse) {
  const auto bad_model = folder.write("config.json", R"({"model_type": "gpt2"})");
  const auto bad_recipe =
      folder.write("recipe.json",
                   R"({"name": "m", "description": "d", "base": "math", "fields": {"prompt": 1}})");
  const auto sliced =
      folder.write("sliced.json", R"({"name": "m", "description": "d", "base": "math",
                         "fields": {"rollout_tensor_parallel": 8}})");
  expect_refused(folder, arguments("gpt-5", "math"), {"--model", "qwen2.5-3b"});
  expect_refused(folder, arguments("qwen2.5-3b", "ppo"), {"--recipe", "dapo-math"});
  expect_refused(folder, arguments(bad_model.string(), "math"),
                 {"config.json, field \"model_type\": is \"gpt2\""});
  expect_refused(folder, arguments("qwen2.5-3b", bad_recipe.string()),
                 {"recipe.json, field \"fields.prompt\": is unknown"});
  expect_refused(folder, arguments("qwen2.5-math-7b", sliced.string()),
                 {"rollout_tensor_parallel: 8 slices do not divide num_attention_heads 28"});
  expect_refused(folder, {"workload", "--model", "qwen2.5-3b", "--recipe", "math"}, {"--output"});
}

}  // namespace
}  // namespace nibblecore
