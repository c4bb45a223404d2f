// SPDX-License-Identifier: Apache-2.0
#include "model/workload/phase_records.hpp"

#include "model/common/checked.hpp"
#include "model/workload/expert_shares.hpp"
#include "model/workload/padded.hpp"
#include "model/workload/phase_writer.hpp"

namespace nibblecore {
namespace {

/// Tokens of the rank's experts, those of expert parallel rank 0, over all passes.
RowCounts expert_rows(const RowCounts& routed, const PhaseRule& rule) {
  RowCounts counts;
  const size_t own = rule.expert_shares.size() / static_cast<size_t>(rule.expert_slices);
  for (const auto& [rows, passes] : routed) {
    const std::vector<int64_t> tokens =
        expert_tokens(rule.expert_shares, rows, rule.experts_per_token);
    for (size_t expert = 0; expert < own; ++expert) {
      if (tokens[expert] > 0) {
        counts[padded(tokens[expert], rule.expert_multiple)] += passes;
      }
    }
  }
  return counts;
}

/// Attention's two products, of a query's heads with keys and of scores with values.
std::vector<Product> attention_products(const ModelConfig& model, const PhaseRule& rule,
                                        int64_t keys, int64_t count) {
  const int64_t heads = model.heads / rule.layers.tensor;
  const int64_t layers = checked_multiply(model.layers, count, "attention of a phase");
  return {{"layers.*.self_attn.scores", keys, model.head_dim, layers, false, heads},
          {"layers.*.self_attn.values", model.head_dim, keys, layers, false, heads}};
}

class Phase {
 public:
  Phase(const ModelConfig& model, const PhasePasses& passes, const PhaseRule& rule)
      : model_(model), passes_(passes), rule_(rule), layers_(linear_layers(model, rule.layers)) {
    if (!rule.expert_shares.empty()) {
      expert_rows_ = expert_rows(passes.routed_rows, rule);
    }
  }

  void add(GemmKind kind, PhaseWriter& writer) const {
    for (const LinearLayer& layer : layers_) {
      add_layer(layer, kind, writer);
    }
    for (const auto& [lengths, count] : passes_.attention.counts()) {
      for (const Product& product : attention_products(model_, rule_, lengths.second, count)) {
        writer.add(product, kind, lengths.first);
      }
    }
  }

  /// The layers' forward products once more; the head lies outside of what is recomputed.
  void recompute(PhaseWriter& writer) const {
    for (const LinearLayer& layer : layers_) {
      if (layer.rows != LayerRows::kHead) {
        add_layer(layer, GemmKind::kFprop, writer);
      }
    }
    for (const auto& [lengths, count] : passes_.attention.counts()) {
      for (const Product& product : attention_products(model_, rule_, lengths.second, count)) {
        writer.add(product, GemmKind::kFprop, lengths.first);
      }
    }
  }

  int64_t attention_macs(int64_t times) const {
    int64_t macs = passes_.attention.causal_pairs();
    for (const int64_t factor :
         {2 * model_.head_dim, model_.heads / rule_.layers.tensor, model_.layers, times}) {
      macs = checked_multiply(macs, factor, "multiply-accumulates of attention");
    }
    return macs;
  }

 private:
  const RowCounts& rows_of(const LinearLayer& layer) const {
    switch (layer.rows) {
      case LayerRows::kTokens:
        return passes_.rows;
      case LayerRows::kExperts:
        return expert_rows_;
      case LayerRows::kHead:
        return passes_.head_rows;
    }
    throw InternalError("unknown rows of a layer");
  }

  void add_layer(const LinearLayer& layer, GemmKind kind, PhaseWriter& writer) const {
    // The base weights of a LoRA are frozen, the head's and the router's too.
    const bool has_base = rule_.lora_rank == 0 || kind != GemmKind::kWgrad;
    const RowCounts& counts = rows_of(layer);
    for (auto entry = counts.rbegin(); entry != counts.rend(); ++entry) {
      const auto& [rows, passes] = *entry;
      if (rows == 0) {
        continue;
      }
      const int64_t count = checked_multiply(layer.layers, passes, "passes of " + layer.name);
      if (has_base) {
        writer.add({layer.name, layer.out, layer.in, count, layer.quantize}, kind, rows);
      }
      if (rule_.lora_rank > 0 && layer.projection) {
        const int64_t rank = rule_.lora_rank;
        writer.add({layer.name + ".lora_A", rank, layer.in, count, false}, kind, rows);
        writer.add({layer.name + ".lora_B", layer.out, rank, count, false}, kind, rows);
      }
    }
  }

  const ModelConfig& model_;
  const PhasePasses& passes_;
  const PhaseRule& rule_;
  std::vector<LinearLayer> layers_;
  RowCounts expert_rows_;
};

}  // namespace

void add_phase(const ModelConfig& model, const PhasePasses& passes, const PhaseRule& rule,
               Workload& workload) {
  const Phase phase(model, passes, rule);
  PhaseWriter writer(passes.phase, workload);
  phase.add(GemmKind::kFprop, writer);
  if (rule.trains) {
    phase.add(GemmKind::kDgrad, writer);
    phase.add(GemmKind::kWgrad, writer);
  }
  writer.finish(passes.tokens, passes.rows, phase.attention_macs(rule.trains ? 3 : 1));
  if (rule.recomputation == Recomputation::kFull) {
    PhaseWriter again(passes.phase + ".recompute", workload);
    phase.recompute(again);
    again.finish(passes.tokens, passes.rows, phase.attention_macs(1));
  }
}

}  // namespace nibblecore
