// SPDX-License-Identifier: Apache-2.0
#include "model/workload/workload.hpp"

#include "model/workload/expert_shares.hpp"
#include "model/workload/phase_records.hpp"
#include "model/workload/rollout_passes.hpp"
#include "model/workload/samples.hpp"
#include "model/workload/trainer_passes.hpp"

namespace nibblecore {
namespace {

LayerOptions layer_options(const Recipe& recipe, const Slicing& slicing, Projections projections) {
  LayerOptions options;
  options.projections = projections;
  options.tensor = slicing.tensor;
  options.bf16_mlp_first = recipe.bf16_mlp_first;
  options.bf16_mlp_last = recipe.bf16_mlp_last;
  return options;
}

PhaseRule common_rule(const ModelConfig& model, const Recipe& recipe, const Slicing& slicing,
                      const std::string& name, uint64_t seed) {
  PhaseRule rule;
  if (model.experts > 0) {
    if (model.experts % slicing.expert != 0) {
      throw InputError("recipe, " + name + "_expert_parallel",
                       std::to_string(slicing.expert) + " slices do not divide the " +
                           std::to_string(model.experts) + " experts of the model");
    }
    rule.expert_slices = slicing.expert;
    rule.experts_per_token = model.experts_per_token;
    rule.expert_shares = expert_shares(recipe.expert_law, model.experts, seed);
  }
  rule.expert_multiple = recipe.expert_multiple;
  return rule;
}

/// The tensor-parallel ranks share each token's experts, whole or cut as far as there are more
/// ranks than shares.
PhaseRule rollout_rule(const ModelConfig& model, const Recipe& recipe, uint64_t seed) {
  PhaseRule rule = common_rule(model, recipe, recipe.rollout, "rollout", seed);
  rule.layers = layer_options(recipe, recipe.rollout, recipe.rollout_projections);
  rule.layers.expert_tensor = recipe.rollout.tensor / recipe.rollout.expert;
  rule.layers.slices_field = "recipe, rollout_tensor_parallel";
  return rule;
}

/// Data-parallel ranks share the experts, tensor-parallel ones cut them, as Megatron-LM does.
PhaseRule trainer_rule(const ModelConfig& model, const Recipe& recipe, uint64_t seed) {
  PhaseRule rule = common_rule(model, recipe, recipe.train, "train", seed);
  rule.layers = layer_options(recipe, recipe.train, recipe.train_projections);
  rule.layers.expert_tensor = recipe.train.tensor;
  rule.layers.slices_field = "recipe, train_tensor_parallel";
  return rule;
}

void add_rollout(const ModelConfig& model, const Recipe& recipe, const std::vector<Sample>& samples,
                 const PhaseRule& rule, Workload& workload) {
  const Share prompts = share_of(recipe.prompts, recipe.rollout.data, 0);
  const std::vector<Sample> own(samples.begin(), samples.begin() + prompts.end * recipe.samples);
  const RolloutPasses passes = schedule_rollout(own, recipe);
  add_phase(model, passes.prefill, rule, workload);
  if (passes.decode.tokens > 0) {
    add_phase(model, passes.decode, rule, workload);
  }
}

}  // namespace

Workload make_workload(const ModelConfig& model, const Recipe& recipe, uint64_t seed) {
  Workload workload;
  workload.forward_macs = forward_macs(model);
  workload.rollout_ranks = recipe.rollout.ranks();
  workload.train_ranks = recipe.train.ranks();
  const std::vector<Sample> samples = draw_samples(recipe, seed);
  add_rollout(model, recipe, samples, rollout_rule(model, recipe, seed), workload);

  PhaseRule rule = trainer_rule(model, recipe, seed);
  rule.lora_rank = recipe.lora_rank;
  if (recipe.logprob == Pass::kCompute) {
    add_phase(model, logprob_passes("logprob", samples, recipe), rule, workload);
  }
  if (recipe.reference_logprob == Pass::kCompute) {
    PhaseRule reference = rule;
    reference.lora_rank = 0;  // the reference policy is the base model
    add_phase(model, logprob_passes("logprob.reference", samples, recipe), reference, workload);
  }
  rule.trains = true;
  rule.recomputation = recipe.recomputation;
  add_phase(model, train_passes(samples, recipe), rule, workload);
  return workload;
}

}  // namespace nibblecore
