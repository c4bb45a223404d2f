// SPDX-License-Identifier: Apache-2.0
#include "model/workload/linear_layers.hpp"

#include <algorithm>

#include "model/common/checked.hpp"

namespace nibblecore {
namespace {

/// How many layers of a kind have their MLP quantized, and how many have not.
struct LayerCounts {
  int64_t quantized = 0;
  int64_t kept = 0;
};

class Layers {
 public:
  Layers(const ModelConfig& model, const LayerOptions& options)
      : model_(model), options_(options) {}

  std::vector<LinearLayer> list() {
    add_attention();
    const LayerCounts dense = count_layers(false);
    const LayerCounts experts = count_layers(true);
    add_mlp("mlp.", model_.intermediate, options_.tensor, LayerRows::kTokens, dense);
    add_routers(experts);
    add_mlp("mlp.experts.", model_.expert_width, options_.expert_tensor, LayerRows::kExperts,
            experts);
    if (model_.shared_expert_width > 0) {
      add_mlp("mlp.shared_expert.", model_.shared_expert_width, options_.tensor, LayerRows::kTokens,
              experts);
    }
    layers_.push_back({"lm_head", slice("vocab_size", model_.vocabulary, options_.tensor),
                       model_.hidden, 1, LayerRows::kHead, false, false});
    return std::move(layers_);
  }

 private:
  int64_t slice(const std::string& width, int64_t size, int64_t slices) const {
    if (size % slices != 0) {
      throw InputError(options_.slices_field, std::to_string(slices) + " slices do not divide " +
                                                  width + " " + std::to_string(size) +
                                                  " of the model");
    }
    return size / slices;
  }

  int64_t kv_heads() const {
    const bool fewer = model_.kv_heads < options_.tensor;
    return fewer && options_.tensor % model_.kv_heads == 0
               ? 1
               : slice("num_key_value_heads", model_.kv_heads, options_.tensor);
  }

  LayerCounts count_layers(bool with_experts) const {
    LayerCounts counts;
    for (int64_t layer = 0; layer < model_.layers; ++layer) {
      if (model_.has_experts[static_cast<size_t>(layer)] == with_experts) {
        const bool kept =
            layer < options_.bf16_mlp_first || layer >= model_.layers - options_.bf16_mlp_last;
        ++(kept ? counts.kept : counts.quantized);
      }
    }
    return counts;
  }

  void add(const std::string& name, int64_t out, int64_t in, LayerRows rows,
           const LayerCounts& counts) {
    for (const bool quantize : {true, false}) {
      const int64_t layers = quantize ? counts.quantized : counts.kept;
      if (layers > 0) {
        layers_.push_back({"layers.*." + name, out, in, layers, rows, quantize, true});
      }
    }
  }

  void add_attention() {
    const LayerCounts all{model_.layers, 0};
    const int64_t q = slice("num_attention_heads", model_.heads, options_.tensor) * model_.head_dim;
    const int64_t kv = kv_heads() * model_.head_dim;
    const std::string prefix = "self_attn.";
    if (options_.projections == Projections::kFused) {
      add(prefix + "qkv_proj", q + 2 * kv, model_.hidden, LayerRows::kTokens, all);
    } else {
      add(prefix + "q_proj", q, model_.hidden, LayerRows::kTokens, all);
      add(prefix + "k_proj", kv, model_.hidden, LayerRows::kTokens, all);
      add(prefix + "v_proj", kv, model_.hidden, LayerRows::kTokens, all);
    }
    add(prefix + "o_proj", model_.hidden, q, LayerRows::kTokens, all);
  }

  void add_mlp(const std::string& prefix, int64_t width, int64_t slices, LayerRows rows,
               const LayerCounts& counts) {
    if (counts.quantized + counts.kept == 0) {
      return;
    }
    const int64_t sliced =
        slice("the width of " + prefix.substr(0, prefix.size() - 1), width, slices);
    if (options_.projections == Projections::kFused) {
      add(prefix + "gate_up_proj", 2 * sliced, model_.hidden, rows, counts);
    } else {
      add(prefix + "gate_proj", sliced, model_.hidden, rows, counts);
      add(prefix + "up_proj", sliced, model_.hidden, rows, counts);
    }
    add(prefix + "down_proj", model_.hidden, sliced, rows, counts);
  }

  void add_routers(const LayerCounts& counts) {
    const int64_t layers = counts.quantized + counts.kept;
    if (layers == 0) {
      return;
    }
    layers_.push_back({"layers.*.mlp.gate", model_.experts, model_.hidden, layers,
                       LayerRows::kTokens, false, false});
    if (model_.shared_expert_width > 0) {
      layers_.push_back({"layers.*.mlp.shared_expert_gate", 1, model_.hidden, layers,
                         LayerRows::kTokens, false, false});
    }
  }

  const ModelConfig& model_;
  const LayerOptions& options_;
  std::vector<LinearLayer> layers_;
};

}  // namespace

std::vector<LinearLayer> linear_layers(const ModelConfig& model, const LayerOptions& options) {
  return Layers(model, options).list();
}

int64_t forward_macs(const ModelConfig& model) {
  int64_t macs = 0;
  for (const LinearLayer& layer : linear_layers(model, {})) {
    const int64_t times = checked_multiply(
        layer.layers, layer.rows == LayerRows::kExperts ? model.experts_per_token : 1, layer.name);
    const int64_t weights = checked_multiply(layer.out, layer.in, layer.name);
    macs = checked_add(macs, checked_multiply(weights, times, layer.name), layer.name);
  }
  return macs;
}

}  // namespace nibblecore
