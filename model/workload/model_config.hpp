// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "model/common/json_node.hpp"

namespace nibblecore {

/// What of a transformer decoder gives the shapes of its GEMMs, after the `config.json` of Hugging
/// Face's transformers library.
struct ModelConfig {
  std::string type;  ///< model_type
  int64_t hidden = 0;
  int64_t intermediate = 0;  ///< width of a dense layer's MLP
  int64_t layers = 0;
  int64_t heads = 0;
  int64_t kv_heads = 0;
  int64_t head_dim = 0;
  int64_t vocabulary = 0;
  bool tied_head = false;         ///< lm_head shares the embedding's weights; its GEMMs stay
  int64_t experts = 0;            ///< of a layer that has them; 0 in a dense model
  int64_t experts_per_token = 0;  ///< top-k
  int64_t expert_width = 0;
  int64_t shared_expert_width = 0;  ///< of the expert that takes every token; 0 without one
  bool normalised_shares = false;   ///< norm_topk_prob; changes no shape
  std::vector<bool> has_experts;    ///< which layers have experts in place of an MLP
  int64_t expert_layer_count() const;

  /// The fields under their names in `config.json`, those left out with their values.
  boost::json::object resolved() const;
};

/// Reads a `config.json` of model_type llama, mistral, qwen2, qwen3, qwen2_moe, qwen3_moe or
/// mixtral. Fields that give no shape are ignored, null counts as left out. InputError naming
/// `place`, the offset or field, and the reason.
ModelConfig parse_model_config(std::string_view text, const std::string& place);

/// The same of a part of a document.
ModelConfig read_model_config(const JsonNode& node);

}  // namespace nibblecore
