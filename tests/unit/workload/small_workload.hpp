// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/workload/model_config.hpp"
#include "model/workload/recipe.hpp"
#include "model/workload/samples.hpp"
#include "model/workload/workload.hpp"

namespace nibblecore {

/// Two layers, four MACs a token and weight: qkv 16x8, o 8x8, gate_up 32x8, down 8x16, head 32x8.
inline ModelConfig small_model() {
  return parse_model_config(
      R"({"model_type": "llama", "hidden_size": 8, "intermediate_size": 16, "num_hidden_layers": 2,
          "num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": 32})",
      "small model");
}

/// Three layers, the middle one dense: 4 experts of width 6, 2 a token, a shared one of width 10.
inline ModelConfig small_expert_model() {
  return parse_model_config(
      R"({"model_type": "qwen2_moe", "hidden_size": 8, "intermediate_size": 16,
          "num_hidden_layers": 3, "num_attention_heads": 2, "vocab_size": 32, "num_experts": 4,
          "num_experts_per_tok": 2, "moe_intermediate_size": 6,
          "shared_expert_intermediate_size": 10, "mlp_only_layers": [1]})",
      "small expert model");
}

inline LengthLaw fixed_length(int64_t tokens) {
  LengthLaw law;
  law.least = tokens;
  law.most = tokens;
  return law;
}

/// Two prompts of 3 tokens, two responses of 4 each, three slots, batches of 4 tokens.
inline Recipe small_recipe() {
  Recipe recipe;
  recipe.prompts = 2;
  recipe.samples = 2;
  recipe.prompt_tokens = fixed_length(3);
  recipe.response_tokens = fixed_length(4);
  recipe.mini_batch_prompts = 1;
  recipe.max_num_seqs = 3;
  recipe.max_num_batched_tokens = 4;
  recipe.prefix_cache = PrefixCache::kOn;
  recipe.logprob_micro_batch.tokens = 21;
  recipe.train_micro_batch.tokens = 14;
  return recipe;
}

/// Many samples of random lengths.
inline Recipe varied_recipe() {
  Recipe recipe = small_recipe();
  recipe.prompts = 37;
  recipe.samples = 3;
  recipe.prompt_tokens.kind = LengthLawKind::kUniform;
  recipe.prompt_tokens.least = 1;
  recipe.prompt_tokens.most = 23;
  recipe.response_tokens.kind = LengthLawKind::kUniform;
  recipe.response_tokens.least = 1;
  recipe.response_tokens.most = 40;
  recipe.mini_batch_prompts = 10;
  recipe.max_num_seqs = 8;
  recipe.max_num_batched_tokens = 30;
  recipe.logprob_micro_batch.tokens = 200;
  recipe.train_micro_batch.tokens = 100;
  return recipe;
}

inline int64_t total_tokens(const std::vector<Sample>& samples) {
  int64_t tokens = 0;
  for (const Sample& sample : samples) {
    tokens += sample.tokens();
  }
  return tokens;
}

/// "phase layer kind MxNxK x count [x batch] [bf16]"
inline std::string shown(const GemmRecord& record) {
  return record.phase + " " + record.layer + " " + std::string(name_of(record.kind)) + " " +
         std::to_string(record.m) + "x" + std::to_string(record.n) + "x" +
         std::to_string(record.k) + " x " + std::to_string(record.count) +
         (record.batch > 1 ? " x " + std::to_string(record.batch) : "") +
         (record.quantize ? "" : " bf16");
}

/// Those records whose text begins with `start`.
inline std::vector<std::string> shown(const Workload& workload, const std::string& start) {
  std::vector<std::string> lines;
  for (const GemmRecord& record : workload.records) {
    if (shown(record).rfind(start, 0) == 0) {
      lines.push_back(shown(record));
    }
  }
  return lines;
}

inline const PhaseTotals& phase_of(const Workload& workload, const std::string& name) {
  for (const PhaseTotals& phase : workload.phases) {
    if (phase.phase == name) {
      return phase;
    }
  }
  throw Error("no phase " + name);
}

}  // namespace nibblecore
