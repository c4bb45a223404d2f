// SPDX-License-Identifier: Apache-2.0
#include "model/workload/model_config.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "model/common/strict_json.hpp"

namespace nibblecore {
namespace {

namespace json = boost::json;

constexpr int64_t kMostWidth = int64_t{1} << 24;
constexpr int64_t kMostLayers = 4096;
constexpr int64_t kMostExperts = int64_t{1} << 16;

enum class Experts { kNone, kQwen, kMixtral };

struct ModelType {
  std::string_view name;
  Experts experts;
};

constexpr std::array<ModelType, 7> kModelTypes{{{"llama", Experts::kNone},
                                                {"mistral", Experts::kNone},
                                                {"qwen2", Experts::kNone},
                                                {"qwen3", Experts::kNone},
                                                {"qwen2_moe", Experts::kQwen},
                                                {"qwen3_moe", Experts::kQwen},
                                                {"mixtral", Experts::kMixtral}}};

/// The member of this object unless it is missing or null.
std::optional<JsonNode> find_value(const JsonNode& node, std::string_view key) {
  const std::optional<JsonNode> member = node.find(key);
  return member && member->is_null() ? std::nullopt : member;
}

JsonNode required(const JsonNode& node, std::string_view key) {
  const std::optional<JsonNode> member = find_value(node, key);
  if (!member) {
    node.fail("has no field " + in_quotes(key));
  }
  return *member;
}

int64_t size_of(const JsonNode& node, std::string_view key, int64_t most = kMostWidth) {
  return required(node, key).integer(1, most);
}

int64_t size_or(const JsonNode& node, std::string_view key, int64_t fallback) {
  const std::optional<JsonNode> member = find_value(node, key);
  return member ? member->integer(1, kMostWidth) : fallback;
}

bool flag_or(const JsonNode& node, std::string_view key, bool fallback) {
  const std::optional<JsonNode> member = find_value(node, key);
  return member ? member->boolean() : fallback;
}

void read_attention(const JsonNode& node, ModelConfig& model) {
  model.heads = size_of(node, "num_attention_heads");
  model.kv_heads = size_or(node, "num_key_value_heads", model.heads);
  if (model.heads % model.kv_heads != 0) {
    required(node, "num_key_value_heads")
        .fail("is " + std::to_string(model.kv_heads) + ", which does not divide the " +
              std::to_string(model.heads) + " heads");
  }
  const std::optional<JsonNode> head_dim = find_value(node, "head_dim");
  if (!head_dim && model.hidden % model.heads != 0) {
    required(node, "num_attention_heads")
        .fail("is " + std::to_string(model.heads) + ", which does not divide hidden_size " +
              std::to_string(model.hidden) + ", and there is no head_dim");
  }
  model.head_dim = head_dim ? head_dim->integer(1, kMostWidth) : model.hidden / model.heads;
}

/// Which layers have experts: those whose number, from 1, is a multiple of decoder_sparse_step and
/// that mlp_only_layers does not list (Qwen2MoeDecoderLayer of the transformers library).
std::vector<bool> expert_layers(const JsonNode& node, int64_t layers) {
  const int64_t step = size_or(node, "decoder_sparse_step", 1);
  std::vector<bool> has_experts;
  for (int64_t layer = 1; layer <= layers; ++layer) {
    has_experts.push_back(layer % step == 0);
  }
  if (const auto dense = find_value(node, "mlp_only_layers")) {
    for (const JsonNode& layer : dense->items()) {
      has_experts[static_cast<size_t>(layer.integer(0, layers - 1))] = false;
    }
  }
  return has_experts;
}

void read_experts(const JsonNode& node, Experts kind, ModelConfig& model) {
  const bool is_mixtral = kind == Experts::kMixtral;
  // Newer releases of the library write the second name for all of them.
  const bool has_first = find_value(node, "num_experts").has_value();
  model.experts = size_of(node, has_first ? "num_experts" : "num_local_experts", kMostExperts);
  model.experts_per_token = required(node, "num_experts_per_tok").integer(1, model.experts);
  model.expert_width = is_mixtral ? model.intermediate : size_of(node, "moe_intermediate_size");
  if (const auto shared = find_value(node, "shared_expert_intermediate_size")) {
    model.shared_expert_width = shared->integer(0, kMostWidth);
  }
  model.normalised_shares = flag_or(node, "norm_topk_prob", is_mixtral);
  model.has_experts = expert_layers(node, model.layers);
}

}  // namespace

int64_t ModelConfig::expert_layer_count() const {
  return std::count(has_experts.begin(), has_experts.end(), true);
}

json::object ModelConfig::resolved() const {
  json::object fields{{"model_type", type},
                      {"hidden_size", hidden},
                      {"intermediate_size", intermediate},
                      {"num_hidden_layers", layers},
                      {"num_attention_heads", heads},
                      {"num_key_value_heads", kv_heads},
                      {"head_dim", head_dim},
                      {"vocab_size", vocabulary},
                      {"tie_word_embeddings", tied_head}};
  if (experts > 0) {
    fields["num_experts"] = experts;
    fields["num_experts_per_tok"] = experts_per_token;
    fields["moe_intermediate_size"] = expert_width;
    fields["shared_expert_intermediate_size"] = shared_expert_width;
    fields["norm_topk_prob"] = normalised_shares;
    json::array dense;
    for (size_t layer = 0; layer < has_experts.size(); ++layer) {
      if (!has_experts[layer]) {
        dense.push_back(static_cast<int64_t>(layer));
      }
    }
    fields["mlp_only_layers"] = dense;
  }
  return fields;
}

ModelConfig read_model_config(const JsonNode& node) {
  const ModelType& type = required(node, "model_type").choice(kModelTypes);
  ModelConfig model;
  model.type = type.name;
  model.hidden = size_of(node, "hidden_size");
  model.intermediate = size_of(node, "intermediate_size");
  model.layers = size_of(node, "num_hidden_layers", kMostLayers);
  read_attention(node, model);
  model.vocabulary = size_of(node, "vocab_size");
  model.tied_head = flag_or(node, "tie_word_embeddings", false);
  model.has_experts.assign(static_cast<size_t>(model.layers), false);
  if (type.experts != Experts::kNone) {
    read_experts(node, type.experts, model);
  }
  return model;
}

ModelConfig parse_model_config(std::string_view text, const std::string& place) {
  const json::value document = parse_strict_json(text, place, 0);
  return read_model_config(JsonNode(document, place));
}

}  // namespace nibblecore
