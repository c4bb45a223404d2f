// SPDX-License-Identifier: Apache-2.0
#include "model/workload/model_config.hpp"

#include <functional>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/workload/linear_layers.hpp"
#include "tests/support/input_error.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

json::object dense() {
  return {{"architectures", {"Qwen2ForCausalLM"}},
          {"model_type", "qwen2"},
          {"hidden_size", 96},
          {"intermediate_size", 200},
          {"num_hidden_layers", 5},
          {"num_attention_heads", 6},
          {"vocab_size", 1000},
          {"rope_theta", 1e6}};
}

json::object with_experts() {
  json::object config = dense();
  config["model_type"] = "qwen3_moe";
  config["num_experts"] = 16;
  config["num_experts_per_tok"] = 4;
  config["moe_intermediate_size"] = 48;
  return config;
}

ModelConfig parsed(const json::object& config) {
  return parse_model_config(json::serialize(config), "config.json");
}

std::string error_with(const json::object& base, const char* field, const json::value& value) {
  json::object config = base;
  config[field] = value;
  return input_error([&] { parsed(config); });
}

TEST(ModelConfigTest, DenseDefaults) {
  const ModelConfig model = parsed(dense());
  EXPECT_EQ(model.kv_heads, 6);
  EXPECT_EQ(model.head_dim, 16);
  EXPECT_FALSE(model.tied_head);
  EXPECT_EQ(model.experts, 0);
  EXPECT_EQ(model.expert_layer_count(), 0);
  EXPECT_EQ(forward_macs(model), 5 * (96 * 288 + 96 * 96 + 3 * 96 * 200) + 96 * 1000);
}

TEST(ModelConfigTest, NullCountsAsLeftOut) {
  json::object config = dense();
  config["head_dim"] = nullptr;
  config["num_key_value_heads"] = nullptr;
  EXPECT_EQ(parsed(config).resolved(), parsed(dense()).resolved());
}

TEST(ModelConfigTest, HeadWidthNeedNotBeHiddenOverHeads) {
  json::object config = dense();
  config["head_dim"] = 32;
  config["num_key_value_heads"] = 2;
  EXPECT_EQ(forward_macs(parsed(config)), 5 * (96 * 320 + 192 * 96 + 3 * 96 * 200) + 96 * 1000);
}

TEST(ModelConfigTest, WhichLayersHaveExperts) {
  json::object config = with_experts();
  EXPECT_EQ(parsed(config).expert_layer_count(), 5);
  config["decoder_sparse_step"] = 2;
  EXPECT_THAT(parsed(config).has_experts, ElementsAre(false, true, false, true, false));
  config["mlp_only_layers"] = {3, 4};
  EXPECT_THAT(parsed(config).has_experts, ElementsAre(false, true, false, false, false));
  EXPECT_EQ(json::serialize(parsed(config).resolved().at("mlp_only_layers")), "[0,2,3,4]");
}

TEST(ModelConfigTest, MixtralsExpertsAreAsWideAsItsMlp) {
  json::object config = dense();
  config["model_type"] = "mixtral";
  config["num_local_experts"] = 8;
  config["num_experts_per_tok"] = 2;
  const ModelConfig model = parsed(config);
  EXPECT_EQ(model.experts, 8);
  EXPECT_EQ(model.expert_width, 200);
  EXPECT_EQ(forward_macs(model), 5 * (96 * 288 + 96 * 96 + 96 * 8 + 2 * 3 * 96 * 200) + 96 * 1000);
}

TEST(ModelConfigTest, OtherNameOfTheNumberOfExperts) {
  json::object config = with_experts();
  config.erase("num_experts");
  config["num_local_experts"] = 16;
  EXPECT_EQ(parsed(config).resolved(), parsed(with_experts()).resolved());
}

TEST(ModelConfigTest, RefusesWhatIsMissingOrWrong) {
  for (const char* const field : {"model_type", "hidden_size", "intermediate_size",
                                  "num_hidden_layers", "num_attention_heads", "vocab_size"}) {
    json::object config = dense();
    config.erase(field);
    EXPECT_EQ(input_error([&] { parsed(config); }),
              "config.json: has no field \"" + std::string(field) + "\"");
    EXPECT_THAT(error_with(dense(), field, json::object{}),
                StartsWith("config.json, field \"" + std::string(field) + "\": is {}"));
  }
  for (const char* const field : {"num_experts", "num_experts_per_tok", "moe_intermediate_size"}) {
    json::object config = with_experts();
    config.erase(field);
    EXPECT_THAT(input_error([&] { parsed(config); }), StartsWith("config.json: has no field"));
  }
}

TEST(ModelConfigTest, RefusesValuesThatDoNotFit) {
  EXPECT_THAT(error_with(dense(), "model_type", "deepseek_v3"),
              HasSubstr("not one of llama, mistral, qwen2, qwen3, qwen2_moe, qwen3_moe, mixtral"));
  EXPECT_THAT(error_with(dense(), "hidden_size", 0), HasSubstr("field \"hidden_size\": is 0"));
  EXPECT_THAT(error_with(dense(), "hidden_size", 97),
              HasSubstr("does not divide hidden_size 97, and there is no head_dim"));
  EXPECT_THAT(error_with(dense(), "num_key_value_heads", 4),
              HasSubstr("field \"num_key_value_heads\": is 4, which does not divide the 6 heads"));
  EXPECT_THAT(error_with(dense(), "num_hidden_layers", 1 << 20), HasSubstr("outside 1 to 4096"));
  EXPECT_THAT(error_with(dense(), "tie_word_embeddings", 1), HasSubstr("not true or false"));
  EXPECT_THAT(error_with(with_experts(), "num_experts_per_tok", 17), HasSubstr("outside 1 to 16"));
  EXPECT_THAT(error_with(with_experts(), "mlp_only_layers", {5}),
              HasSubstr("field \"mlp_only_layers[0]\": is 5, outside 0 to 4"));
  EXPECT_THAT(error_with(with_experts(), "norm_topk_prob", "yes"), HasSubstr("norm_topk_prob"));
  EXPECT_THAT(input_error([] { parse_model_config("[", "config.json"); }),
              StartsWith("config.json, offset"));
  EXPECT_THAT(input_error([] { parse_model_config("3", "config.json"); }),
              HasSubstr("not an object"));
}

TEST(ModelConfigTest, WidthsThatLeave64BitsAreRefused) {
  json::object config = with_experts();
  for (const char* const field : {"hidden_size", "moe_intermediate_size", "vocab_size"}) {
    config[field] = 1 << 24;
  }
  config["num_attention_heads"] = 1;
  config["num_hidden_layers"] = 4096;
  config["num_experts"] = 65536;
  config["num_experts_per_tok"] = 65536;
  EXPECT_THROW(forward_macs(parsed(config)), InputError);
}

}  // namespace
}  // namespace nibblecore
