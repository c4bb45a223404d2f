// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/workload/model_config.hpp"
#include "model/workload/recipe.hpp"

namespace nibblecore {

/// What decides how many rows a linear layer computes.
enum class LayerRows {
  kTokens,   ///< all tokens of a pass
  kExperts,  ///< of each expert the tokens that chose it
  kHead,     ///< the tokens whose next one is wanted
};

/// A kind of linear layer, y = x W^T with W [out, in], as one rank holds it.
struct LinearLayer {
  std::string name;  ///< module path, the layer's number as `*`
  int64_t out = 0;
  int64_t in = 0;
  int64_t layers = 1;  ///< how many layers of the model have it
  LayerRows rows = LayerRows::kTokens;
  bool quantize = true;
  bool projection = true;  ///< a weight that a LoRA adapts: no router, gate or head
};

/// How ranks hold a model.
struct LayerOptions {
  Projections projections = Projections::kFused;
  int64_t tensor = 1;         ///< slices of attention, dense MLPs and the head
  int64_t expert_tensor = 1;  ///< slices of each expert
  int64_t bf16_mlp_first = 0;
  int64_t bf16_mlp_last = 0;
  std::string slices_field;  ///< the recipe's, for messages
};

/// The kinds of linear layers of one rank in program order. Query, key, value, gate, up and head
/// are cut along out, the others along in; routers and a shared expert's gate are whole on every
/// rank, and so is a key-value head where there are fewer than ranks. InputError naming the slices
/// and the width where they do not divide it.
std::vector<LinearLayer> linear_layers(const ModelConfig& model, const LayerOptions& options);

/// Multiply-accumulates of one token through all linear layers of the whole model, head and router
/// included, attention's own products not.
int64_t forward_macs(const ModelConfig& model);

}  // namespace nibblecore
