// SPDX-License-Identifier: Apache-2.0
#include "model/workload/recipe_field.hpp"

#include <string>

#include "model/workload/recipe_value.hpp"

namespace nibblecore {
namespace {

// What is drawn and packed stays small enough for a second's work and for 64 bits.
constexpr int64_t kMostSamples = int64_t{1} << 18;
constexpr int64_t kMostRanks = int64_t{1} << 16;

template <auto kMember>
constexpr RecipeFieldRecord integer(std::string_view name, std::string_view fallback = {}) {
  return {name, fallback, [](const JsonNode& value, Recipe& recipe) {
            recipe.*kMember = value.integer(1, kMostTokens);
          }};
}

/// An integer that may be 0.
template <auto kMember>
constexpr RecipeFieldRecord extent(std::string_view name, std::string_view fallback) {
  return {name, fallback, [](const JsonNode& value, Recipe& recipe) {
            recipe.*kMember = value.integer(0, kMostTokens);
          }};
}

template <auto kMember>
constexpr RecipeFieldRecord law(std::string_view name) {
  return {name, {}, [](const JsonNode& value, Recipe& recipe) {
            recipe.*kMember = read_length_law(value);
          }};
}

template <auto kMember, const auto& kRecords>
constexpr RecipeFieldRecord choice(std::string_view name, std::string_view fallback = {}) {
  return {name, fallback, [](const JsonNode& value, Recipe& recipe) {
            recipe.*kMember = value.choice(kRecords).choice;
          }};
}

template <auto kSlicing, auto kMember>
constexpr RecipeFieldRecord slices(std::string_view name) {
  return {name, "1", [](const JsonNode& value, Recipe& recipe) {
            recipe.*kSlicing.*kMember = value.integer(1, kMostRanks);
          }};
}

template <auto kLimit>
constexpr RecipeFieldRecord limit_tokens(std::string_view name) {
  return {name, {}, [](const JsonNode& value, Recipe& recipe) {
            (recipe.*kLimit).tokens = value.integer(1, kMostTokens);
          }};
}

template <auto kLimit>
constexpr RecipeFieldRecord limit_sequences(std::string_view name) {
  return {name, "0", [](const JsonNode& value, Recipe& recipe) {
            (recipe.*kLimit).sequences = value.integer(0, kMostTokens);
          }};
}

constexpr std::array<RecipeFieldRecord, kRecipeFieldCount> kFields{{
    integer<&Recipe::prompts>("prompts"),
    integer<&Recipe::samples>("samples"),
    law<&Recipe::prompt_tokens>("prompt_tokens"),
    law<&Recipe::response_tokens>("response_tokens"),
    integer<&Recipe::mini_batch_prompts>("mini_batch_prompts"),
    integer<&Recipe::max_num_seqs>("max_num_seqs"),
    integer<&Recipe::max_num_batched_tokens>("max_num_batched_tokens"),
    choice<&Recipe::prefix_cache, kPrefixCaches>("prefix_cache"),
    integer<&Recipe::prefill_multiple>("prefill_multiple", "1"),
    {"decode_padding", R"("none")",
     [](const JsonNode& value, Recipe& recipe) { recipe.decode_sizes = read_decode_sizes(value); }},
    choice<&Recipe::rollout_projections, kProjections>("rollout_projections"),
    slices<&Recipe::rollout, &Slicing::tensor>("rollout_tensor_parallel"),
    slices<&Recipe::rollout, &Slicing::expert>("rollout_expert_parallel"),
    slices<&Recipe::rollout, &Slicing::data>("rollout_data_parallel"),
    choice<&Recipe::logprob, kPasses>("logprob"),
    choice<&Recipe::reference_logprob, kPasses>("reference_logprob"),
    limit_tokens<&Recipe::logprob_micro_batch>("logprob_micro_batch_tokens"),
    limit_sequences<&Recipe::logprob_micro_batch>("logprob_micro_batch_sequences"),
    limit_tokens<&Recipe::train_micro_batch>("train_micro_batch_tokens"),
    limit_sequences<&Recipe::train_micro_batch>("train_micro_batch_sequences"),
    choice<&Recipe::packing, kPackings>("packing"),
    integer<&Recipe::micro_batch_multiple>("micro_batch_multiple", "1"),
    choice<&Recipe::recomputation, kRecomputations>("activation_recomputation"),
    choice<&Recipe::train_projections, kProjections>("train_projections"),
    extent<&Recipe::lora_rank>("lora_rank", "0"),
    slices<&Recipe::train, &Slicing::tensor>("train_tensor_parallel"),
    slices<&Recipe::train, &Slicing::expert>("train_expert_parallel"),
    slices<&Recipe::train, &Slicing::data>("train_data_parallel"),
    {"expert_skew", R"({"law": "even"})",
     [](const JsonNode& value, Recipe& recipe) { recipe.expert_law = read_expert_law(value); }},
    integer<&Recipe::expert_multiple>("expert_multiple", "1"),
    {"bf16_mlp_layers", R"({"first": 0, "last": 0})",
     [](const JsonNode& value, Recipe& recipe) {
       value.require_keys({"first", "last"});
       recipe.bf16_mlp_first = value["first"].integer(0, kMostTokens);
       recipe.bf16_mlp_last = value["last"].integer(0, kMostTokens);
     }},
    {"attention", R"("off")",
     [](const JsonNode& value, Recipe& recipe) {
       recipe.attention_multiple = read_attention(value);
     }},
}};

void require_fit(const JsonNode& field, const MicroBatchLimit& limit, int64_t longest) {
  if (limit.tokens < longest) {
    field.fail("is " + std::to_string(limit.tokens) + ", less than the longest sample, " +
               std::to_string(longest) + " tokens");
  }
}

}  // namespace

const std::array<RecipeFieldRecord, kRecipeFieldCount>& recipe_fields() { return kFields; }

void check_recipe(const Recipe& recipe, const JsonNode& fields) {
  if (recipe.prompts * recipe.samples > kMostSamples) {
    fields["samples"].fail("gives " + std::to_string(recipe.prompts * recipe.samples) +
                           " responses, more than " + std::to_string(kMostSamples));
  }
  const int64_t longest = recipe.prompt_tokens.most + recipe.response_tokens.most;
  require_fit(fields["logprob_micro_batch_tokens"], recipe.logprob_micro_batch, longest);
  require_fit(fields["train_micro_batch_tokens"], recipe.train_micro_batch, longest);
  if (recipe.mini_batch_prompts > recipe.prompts) {
    fields["mini_batch_prompts"].fail("is " + std::to_string(recipe.mini_batch_prompts) +
                                      ", more than the " + std::to_string(recipe.prompts) +
                                      " prompts");
  }
  if (recipe.rollout.data > recipe.prompts) {
    fields["rollout_data_parallel"].fail("is more than the prompts");
  }
  if (recipe.rollout.tensor % recipe.rollout.expert != 0) {
    fields["rollout_expert_parallel"].fail("does not divide rollout_tensor_parallel");
  }
  if (recipe.train.data > recipe.mini_batch_prompts * recipe.samples) {
    fields["train_data_parallel"].fail("is more than the samples of a mini-batch");
  }
  if (recipe.train.data % recipe.train.expert != 0) {
    fields["train_expert_parallel"].fail("does not divide train_data_parallel");
  }
}

}  // namespace nibblecore
