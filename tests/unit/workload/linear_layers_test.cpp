// SPDX-License-Identifier: Apache-2.0
#include "model/workload/linear_layers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/workload/model_file.hpp"
#include "tests/support/input_error.hpp"
#include "tests/unit/workload/small_workload.hpp"

namespace nibblecore {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// "name out in layers", with what sets it apart.
std::vector<std::string> texts(const ModelConfig& model, const LayerOptions& options) {
  std::vector<std::string> lines;
  for (const LinearLayer& layer : linear_layers(model, options)) {
    lines.push_back(layer.name + " " + std::to_string(layer.out) + " " + std::to_string(layer.in) +
                    " " + std::to_string(layer.layers) + (layer.quantize ? "" : " bf16"));
  }
  return lines;
}

LayerOptions sliced(int64_t tensor, int64_t expert_tensor) {
  LayerOptions options;
  options.tensor = tensor;
  options.expert_tensor = expert_tensor;
  options.slices_field = "recipe, slices";
  return options;
}

LinearLayer find(const std::vector<LinearLayer>& layers, const std::string& name) {
  for (const LinearLayer& layer : layers) {
    if (layer.name == name || layer.name == "layers.*." + name) {
      return layer;
    }
  }
  throw Error("no layer " + name);
}

TEST(LinearLayers, FusedAndSplitProjections) {
  EXPECT_THAT(texts(small_model(), {}),
              ElementsAre("layers.*.self_attn.qkv_proj 16 8 2", "layers.*.self_attn.o_proj 8 8 2",
                          "layers.*.mlp.gate_up_proj 32 8 2", "layers.*.mlp.down_proj 8 16 2",
                          "lm_head 32 8 1 bf16"));
  LayerOptions split;
  split.projections = Projections::kSplit;
  EXPECT_THAT(texts(small_model(), split),
              ElementsAre("layers.*.self_attn.q_proj 8 8 2", "layers.*.self_attn.k_proj 4 8 2",
                          "layers.*.self_attn.v_proj 4 8 2", "layers.*.self_attn.o_proj 8 8 2",
                          "layers.*.mlp.gate_proj 16 8 2", "layers.*.mlp.up_proj 16 8 2",
                          "layers.*.mlp.down_proj 8 16 2", "lm_head 32 8 1 bf16"));
}

TEST(LinearLayers, ExpertsRoutersAndTheSharedExpert) {
  EXPECT_THAT(
      texts(small_expert_model(), {}),
      ElementsAre("layers.*.self_attn.qkv_proj 24 8 3", "layers.*.self_attn.o_proj 8 8 3",
                  "layers.*.mlp.gate_up_proj 32 8 1", "layers.*.mlp.down_proj 8 16 1",
                  "layers.*.mlp.gate 4 8 2 bf16", "layers.*.mlp.shared_expert_gate 1 8 2 bf16",
                  "layers.*.mlp.experts.gate_up_proj 12 8 2",
                  "layers.*.mlp.experts.down_proj 8 6 2",
                  "layers.*.mlp.shared_expert.gate_up_proj 20 8 2",
                  "layers.*.mlp.shared_expert.down_proj 8 10 2", "lm_head 32 8 1 bf16"));
}

TEST(LinearLayers, FirstAndLastMlpsCanStayInBf16) {
  LayerOptions options;
  options.bf16_mlp_first = 1;
  options.bf16_mlp_last = 0;
  const std::vector<std::string> small = texts(small_model(), options);
  EXPECT_THAT(
      std::vector<std::string>(small.begin() + 2, small.begin() + 6),
      ElementsAre("layers.*.mlp.gate_up_proj 32 8 1", "layers.*.mlp.gate_up_proj 32 8 1 bf16",
                  "layers.*.mlp.down_proj 8 16 1", "layers.*.mlp.down_proj 8 16 1 bf16"));
  options.bf16_mlp_last = 1;
  EXPECT_EQ(find(linear_layers(small_model(), options), "mlp.down_proj").quantize, false);
  // Of the layers with experts, the first and the last of three, both stay; the dense one does not.
  const std::vector<LinearLayer> experts = linear_layers(small_expert_model(), options);
  EXPECT_EQ(find(experts, "mlp.down_proj").quantize, true);
  EXPECT_EQ(find(experts, "mlp.experts.down_proj").quantize, false);
  EXPECT_EQ(find(experts, "mlp.experts.down_proj").layers, 2);
}

// Widths of one rank as published configurations slice the named models.
TEST(LinearLayers, SlicesOfTheNamedModels) {
  const auto layers = [](const char* model, int64_t tensor) {
    return linear_layers(load_model(model).config, sliced(tensor, tensor));
  };
  const auto seven = layers("qwen2.5-math-7b", 4);
  EXPECT_EQ(find(seven, "self_attn.qkv_proj").out, 1152);
  EXPECT_EQ(find(seven, "self_attn.o_proj").in, 896);
  EXPECT_EQ(find(seven, "mlp.gate_up_proj").out, 9472);
  EXPECT_EQ(find(seven, "mlp.down_proj").in, 4736);
  EXPECT_EQ(find(seven, "lm_head").out, 38016);
  const auto thirty = layers("qwen3-30b-a3b", 4);
  EXPECT_EQ(find(thirty, "self_attn.qkv_proj").out, 1280);
  EXPECT_EQ(find(thirty, "self_attn.o_proj").in, 1024);
  EXPECT_EQ(find(thirty, "mlp.experts.gate_up_proj").out, 384);
  EXPECT_EQ(find(thirty, "mlp.experts.down_proj").in, 192);
  EXPECT_EQ(find(thirty, "mlp.gate").out, 128);
  const auto three = layers("qwen2.5-3b", 2);
  EXPECT_EQ(find(three, "self_attn.qkv_proj").out, 1280);
  EXPECT_EQ(find(three, "self_attn.o_proj").in, 1024);
  EXPECT_EQ(find(three, "mlp.gate_up_proj").out, 11008);
  EXPECT_EQ(find(three, "mlp.down_proj").in, 5504);
  // Two key-value heads on four ranks: each has one whole.
  EXPECT_EQ(find(layers("qwen2.5-3b", 4), "self_attn.qkv_proj").out, 512 + 256);
}

TEST(LinearLayers, RefusesSlicesThatDoNotDivide) {
  const auto error = [](const char* model, int64_t tensor, int64_t expert_tensor) {
    return input_error(
        [&] { linear_layers(load_model(model).config, sliced(tensor, expert_tensor)); });
  };
  EXPECT_EQ(error("qwen2.5-math-7b", 8, 1),
            "recipe, slices: 8 slices do not divide num_attention_heads 28 of the model");
  EXPECT_EQ(error("qwen2.5-math-7b", 14, 1),
            "recipe, slices: 14 slices do not divide num_key_value_heads 4 of the model");
  EXPECT_THAT(error("qwen3-30b-a3b", 1, 7),
              HasSubstr("do not divide the width of mlp.experts 768"));
}

TEST(ForwardMacs, OfTheNamedModels) {
  EXPECT_EQ(forward_macs(load_model("qwen2.5-3b").config), 3'085'697'024);
  EXPECT_EQ(forward_macs(load_model("qwen2.5-math-7b").config), 7'070'285'824);
  EXPECT_EQ(forward_macs(load_model("qwen3-30b-a3b").config), 3'041'656'832);
}

TEST(ForwardMacs, CountsEachTokensExpertsAndTheSharedOne) {
  EXPECT_EQ(forward_macs(small_model()), 2 * (128 + 64 + 256 + 128) + 256);
  EXPECT_EQ(forward_macs(small_expert_model()),
            3 * (192 + 64) + (256 + 128) + 2 * (32 + 8 + 2 * (96 + 48) + 160 + 80) + 256);
}

}  // namespace
}  // namespace nibblecore
