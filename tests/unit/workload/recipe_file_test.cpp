// SPDX-License-Identifier: Apache-2.0
#include "model/workload/recipe_file.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/workload/recipe_field.hpp"
#include "tests/unit/trace/temporary_folder.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// Only what a recipe needs.
json::object needed_fields() {
  return {{"prompts", 8},
          {"samples", 2},
          {"prompt_tokens", {{"law", "fixed"}, {"tokens", 10}}},
          {"response_tokens", {{"law", "uniform"}, {"least", 5}, {"most", 20}}},
          {"mini_batch_prompts", 4},
          {"max_num_seqs", 16},
          {"max_num_batched_tokens", 64},
          {"prefix_cache", "off"},
          {"rollout_projections", "fused"},
          {"logprob", "compute"},
          {"reference_logprob", "skip"},
          {"logprob_micro_batch_tokens", 100},
          {"train_micro_batch_tokens", 50},
          {"packing", "in-order"},
          {"activation_recomputation", "none"},
          {"train_projections", "split"}};
}

RecipeFile parsed(const json::object& fields) {
  const json::object document{{"name", "mine"}, {"description", "of a test"}, {"fields", fields}};
  return parse_recipe(json::serialize(document), "mine.json");
}

RecipeFile parsed_with(const char* field, const json::value& value) {
  json::object fields = needed_fields();
  fields[field] = value;
  return parsed(fields);
}

std::string error_with(const char* field, const json::value& value) {
  return input_error([&] { parsed_with(field, value); });
}

const RecipeField& field_of(const RecipeFile& file, const std::string& name) {
  for (const RecipeField& field : file.fields) {
    if (field.name == name) {
      return field;
    }
  }
  throw Error("no field " + name);
}

TEST(RecipeFileTest, WhatIsLeftOutIsOffAndSaysSo) {
  const RecipeFile file = parsed(needed_fields());
  EXPECT_EQ(file.fields.size(), recipe_fields().size());
  const Recipe& recipe = file.recipe;
  EXPECT_EQ(recipe.prompts, 8);
  EXPECT_EQ(recipe.response_tokens.kind, LengthLawKind::kUniform);
  EXPECT_EQ(recipe.response_tokens.least, 5);
  EXPECT_EQ(recipe.response_tokens.most, 20);
  EXPECT_EQ(recipe.prefill_multiple, 1);
  EXPECT_TRUE(recipe.decode_sizes.empty());
  EXPECT_EQ(recipe.train_micro_batch.sequences, 0);
  EXPECT_EQ(recipe.lora_rank, 0);
  EXPECT_EQ(recipe.train.ranks(), 1);
  EXPECT_EQ(recipe.expert_law.kind, ExpertLawKind::kEven);
  EXPECT_EQ(recipe.attention_multiple, 0);
  EXPECT_EQ(field_of(file, "lora_rank").source, "what a recipe has that leaves it out");
  EXPECT_EQ(field_of(file, "prompts").source, "the recipe file, which gives no source");
}

TEST(RecipeFileTest, TakesEveryField) {
  json::object fields = needed_fields();
  fields["prompt_tokens"] = {
      {"law", "truncated-lognormal"}, {"median", 12.5}, {"sigma", 0.5}, {"least", 2}, {"most", 30}};
  fields["response_tokens"] = {
      {"law", "clipped-lognormal"}, {"median", 9}, {"sigma", 1}, {"least", 1}, {"most", 20}};
  fields["prefix_cache"] = "on";
  fields["prefill_multiple"] = 4;
  fields["decode_padding"] = {1, 2, 8};
  fields["rollout_tensor_parallel"] = 4;
  fields["rollout_expert_parallel"] = 2;
  fields["rollout_data_parallel"] = 3;
  fields["logprob"] = "skip";
  fields["reference_logprob"] = "compute";
  fields["logprob_micro_batch_sequences"] = 5;
  fields["train_micro_batch_sequences"] = 6;
  fields["packing"] = "balanced";
  fields["micro_batch_multiple"] = 16;
  fields["activation_recomputation"] = "full";
  fields["train_projections"] = "fused";
  fields["lora_rank"] = 64;
  fields["train_tensor_parallel"] = 2;
  fields["train_expert_parallel"] = 4;
  fields["train_data_parallel"] = 8;
  fields["expert_skew"] = {{"law", "dirichlet"}, {"concentration", 0.25}, {"tiers", 7}};
  fields["expert_multiple"] = 32;
  fields["bf16_mlp_layers"] = {{"first", 2}, {"last", 4}};
  fields["attention"] = {{"multiple", 128}};
  const Recipe recipe = parsed(fields).recipe;
  EXPECT_EQ(recipe.samples, 2);
  EXPECT_EQ(recipe.prompt_tokens.kind, LengthLawKind::kTruncatedLogNormal);
  EXPECT_EQ(recipe.prompt_tokens.median, 12.5);
  EXPECT_EQ(recipe.prompt_tokens.sigma, 0.5);
  EXPECT_EQ(recipe.prompt_tokens.most, 30);
  EXPECT_EQ(recipe.response_tokens.kind, LengthLawKind::kClippedLogNormal);
  EXPECT_EQ(recipe.mini_batch_prompts, 4);
  EXPECT_EQ(recipe.max_num_seqs, 16);
  EXPECT_EQ(recipe.max_num_batched_tokens, 64);
  EXPECT_EQ(recipe.prefix_cache, PrefixCache::kOn);
  EXPECT_EQ(recipe.prefill_multiple, 4);
  EXPECT_THAT(recipe.decode_sizes, ElementsAre(1, 2, 8));
  EXPECT_EQ(recipe.rollout_projections, Projections::kFused);
  EXPECT_EQ(recipe.rollout.tensor, 4);
  EXPECT_EQ(recipe.rollout.expert, 2);
  EXPECT_EQ(recipe.rollout.data, 3);
  EXPECT_EQ(recipe.rollout.ranks(), 12);
  EXPECT_EQ(recipe.logprob, Pass::kSkip);
  EXPECT_EQ(recipe.reference_logprob, Pass::kCompute);
  EXPECT_EQ(recipe.logprob_micro_batch.tokens, 100);
  EXPECT_EQ(recipe.logprob_micro_batch.sequences, 5);
  EXPECT_EQ(recipe.train_micro_batch.tokens, 50);
  EXPECT_EQ(recipe.train_micro_batch.sequences, 6);
  EXPECT_EQ(recipe.packing, Packing::kBalanced);
  EXPECT_EQ(recipe.micro_batch_multiple, 16);
  EXPECT_EQ(recipe.recomputation, Recomputation::kFull);
  EXPECT_EQ(recipe.train_projections, Projections::kFused);
  EXPECT_EQ(recipe.lora_rank, 64);
  EXPECT_EQ(recipe.train.tensor, 2);
  EXPECT_EQ(recipe.train.expert, 4);
  EXPECT_EQ(recipe.train.data, 8);
  EXPECT_EQ(recipe.expert_law.kind, ExpertLawKind::kDirichlet);
  EXPECT_EQ(recipe.expert_law.parameter, 0.25);
  EXPECT_EQ(recipe.expert_law.tiers, 7);
  EXPECT_EQ(recipe.expert_multiple, 32);
  EXPECT_EQ(recipe.bf16_mlp_first, 2);
  EXPECT_EQ(recipe.bf16_mlp_last, 4);
  EXPECT_EQ(recipe.attention_multiple, 128);
}

TEST(RecipeFileTest, FieldsCanSayWhereTheyAreFrom) {
  const RecipeFile file =
      parsed_with("prompts", {{"value", 16}, {"confidence", "P"}, {"source", "a paper, table 3"}});
  EXPECT_EQ(file.recipe.prompts, 16);
  EXPECT_EQ(field_of(file, "prompts").confidence, Confidence::kPublished);
  EXPECT_EQ(field_of(file, "prompts").source, "a paper, table 3");
  EXPECT_EQ(field_of(file, "prompts").value, "16");
  EXPECT_THAT(error_with("prompts", {{"value", 16}}),
              StartsWith("mine.json, field \"fields.prompts.confidence\": is missing"));
  EXPECT_THAT(error_with("prompts", {{"value", 16}, {"confidence", "X"}, {"source", "s"}}),
              StartsWith("mine.json, field \"fields.prompts.confidence\": is \"X\", not one of"));
}

TEST(RecipeFileTest, ABaseGivesWhatIsNotChanged) {
  const RecipeFile file = parse_recipe(
      R"({"name": "mine", "description": "d", "base": "dapo-math",
          "fields": {"rollout_tensor_parallel": 4}})",
      "mine.json");
  const RecipeFile base = load_recipe("dapo-math");
  EXPECT_EQ(file.recipe.rollout.tensor, 4);
  EXPECT_EQ(file.recipe.max_num_batched_tokens, 10'240);
  for (size_t i = 0; i < file.fields.size(); ++i) {
    if (file.fields[i].name != "rollout_tensor_parallel") {
      EXPECT_EQ(file.fields[i].value, base.fields[i].value);
      EXPECT_EQ(file.fields[i].source, base.fields[i].source);
      EXPECT_EQ(file.fields[i].confidence, base.fields[i].confidence);
    }
  }
  EXPECT_THAT(input_error([] {
                parse_recipe(R"({"name": "m", "description": "d", "base": "x", "fields": {}})",
                             "mine.json");
              }),
              HasSubstr("field \"base\": is \"x\", not one of gsm8k, math, dapo-math, qwen3-moe"));
}

TEST(RecipeFileTest, EveryNeededFieldIsAskedFor) {
  for (const json::key_value_pair& member : needed_fields()) {
    json::object fields = needed_fields();
    fields.erase(member.key());
    EXPECT_EQ(input_error([&] { parsed(fields); }),
              "mine.json, field \"fields." + std::string(member.key()) + "\": is missing");
  }
}

TEST(RecipeFileTest, EveryFieldRefusesAnotherType) {
  for (const RecipeFieldRecord& record : recipe_fields()) {
    const std::string name(record.name);
    for (const json::value& wrong : {json::value(true), json::value(nullptr), json::value(-1)}) {
      EXPECT_THAT(error_with(name.c_str(), wrong), StartsWith("mine.json, field \"fields." + name));
    }
  }
  EXPECT_THAT(error_with("unheard_of", 1), HasSubstr("\"fields.unheard_of\": is unknown"));
}

TEST(RecipeFileTest, RefusesValuesOutOfRange) {
  const auto law = [](const char* name, const json::value& parameter, int64_t least, int64_t most) {
    return json::value{
        {"law", name}, {"median", 10}, {"sigma", parameter}, {"least", least}, {"most", most}};
  };
  EXPECT_THAT(error_with("prompt_tokens", law("clipped-lognormal", 11, 1, 10)),
              HasSubstr("\"fields.prompt_tokens.sigma\": is 11"));
  EXPECT_THAT(error_with("prompt_tokens", law("clipped-lognormal", 1, 10, 9)),
              HasSubstr("\"fields.prompt_tokens.most\": is 9, outside 10"));
  EXPECT_THAT(error_with("prompt_tokens", law("uniform", 1, 1, 2)), HasSubstr("is unknown"));
  EXPECT_THAT(error_with("prompt_tokens", law("poisson", 1, 1, 2)), HasSubstr("not one of fixed"));
  EXPECT_THAT(error_with("prompt_tokens", json::object{{"tokens", 3}}), HasSubstr("no field"));
  EXPECT_THAT(error_with("expert_skew", json::object{{"exponent", 3}}), HasSubstr("no field"));
  EXPECT_THAT(error_with("expert_skew", {{"law", "zipf"}, {"exponent", -1}}),
              HasSubstr("\"fields.expert_skew.exponent\": is -1"));
  EXPECT_THAT(error_with("expert_skew", {{"law", "dirichlet"}, {"concentration", 0}}),
              HasSubstr("\"fields.expert_skew.concentration\": is 0"));
  EXPECT_THAT(error_with("decode_padding", {2, 2}),
              HasSubstr("\"fields.decode_padding[1]\": is 2, outside 3"));
  EXPECT_THAT(error_with("decode_padding", "all"), HasSubstr("neither \"none\" nor a list"));
  EXPECT_THAT(error_with("attention", "on"), HasSubstr("neither \"off\""));
  EXPECT_THAT(error_with("packing", "random"), HasSubstr("not one of in-order, balanced"));
}

TEST(RecipeFileTest, RefusesFieldsThatDoNotFitEachOther) {
  EXPECT_THAT(error_with("train_micro_batch_tokens", 29),
              HasSubstr("is 29, less than the longest sample, 30 tokens"));
  EXPECT_THAT(error_with("logprob_micro_batch_tokens", 29), HasSubstr("longest sample"));
  EXPECT_THAT(error_with("mini_batch_prompts", 9), HasSubstr("is 9, more than the 8 prompts"));
  EXPECT_THAT(error_with("samples", 1 << 20), HasSubstr("responses, more than"));
  EXPECT_THAT(error_with("rollout_data_parallel", 9), HasSubstr("more than the prompts"));
  EXPECT_THAT(error_with("rollout_expert_parallel", 2),
              HasSubstr("does not divide rollout_tensor_parallel"));
  EXPECT_THAT(error_with("train_data_parallel", 9), HasSubstr("samples of a mini-batch"));
  EXPECT_THAT(error_with("train_expert_parallel", 2),
              HasSubstr("does not divide train_data_parallel"));
}

TEST(RecipeFileTest, RefusesDocumentsThatAreNoRecipe) {
  const auto error = [](const char* text) {
    return input_error([&] { parse_recipe(text, "mine.json"); });
  };
  EXPECT_THAT(error("{"), StartsWith("mine.json, offset"));
  EXPECT_EQ(error("[]"), "mine.json: is [], not an object");
  EXPECT_THAT(error(R"({"name": "m", "description": "d", "fields": 3})"),
              HasSubstr("field \"fields\": is 3, not an object"));
  EXPECT_THAT(error(R"({"name": "m", "name": "m"})"), HasSubstr("duplicate key"));
}

TEST(RecipeFileTest, BuiltInOnesMarkEveryField) {
  ASSERT_EQ(built_in_recipes().size(), 4U);
  for (const RecipeFile& file : built_in_recipes()) {
    EXPECT_EQ(file.fields.size(), recipe_fields().size());
    EXPECT_FALSE(file.notes.empty());
    for (const RecipeField& field : file.fields) {
      const bool assumed = field.confidence == Confidence::kAssumed;
      const bool says_assumed = field.source.rfind("assumed by this project", 0) == 0 ||
                                field.source == "what a recipe has that leaves it out";
      EXPECT_EQ(assumed, says_assumed) << file.name << ' ' << field.name;
    }
  }
  EXPECT_THAT(
      input_error([] { load_recipe("ppo"); }),
      HasSubstr("neither a built-in recipe (gsm8k, math, dapo-math, qwen3-moe) nor a file"));
}

TEST(RecipeFileTest, ReadsAFile) {
  const TemporaryFolder folder;
  const json::object document{
      {"name", "mine"}, {"description", "of a test"}, {"fields", needed_fields()}};
  const auto path = folder.write("recipe.json", json::serialize(document));
  EXPECT_EQ(load_recipe(path.string()).name, "mine");
}

}  // namespace
}  // namespace nibblecore
