// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/treatment.hpp"

namespace nibblecore::tb {
namespace {

bool is_rollout(const GemmRecord& record) { return record.phase.rfind("rollout", 0) == 0; }

OperandTreatment operand_treatment(const ReplayOptions& options, const GemmRecord& record,
                                   OperandRole role) {
  const CorrectionOptions& corrections = options.corrections;
  OperandTreatment treatment;
  treatment.name = options.preset.name;
  OperandRecipe recipe;
  recipe.preset = options.preset;
  if (is_stochastic(options.preset)) {
    recipe.choices.random = RandomStream{};
  }
  recipe.hadamard = corrections.hadamard;
  recipe.macro = corrections.macro_of(role);
  if (role == OperandRole::kWeight) {
    recipe.choices.shape = corrections.weight_shape;
    if (corrections.noise > 0 && is_rollout(record)) {
      recipe.noise = Noise{corrections.noise, {}};
    }
  }
  treatment.recipe = std::move(recipe);
  return treatment;
}

void set_streams(OperandTreatment& operand, uint32_t ordinal, uint64_t seed, int64_t first) {
  if (!operand.recipe) {
    return;
  }
  OperandRecipe& recipe = *operand.recipe;
  recipe.choices.first_element = first;
  if (recipe.choices.random) {
    recipe.choices.random = RandomStream{seed, Stream::kStochasticRounding, ordinal};
  }
  if (recipe.noise) {
    recipe.noise->random = RandomStream{seed, Stream::kNoise, ordinal};
  }
  if (recipe.hadamard) {
    // The same signs for every tensor: both operands of a GEMM need the same.
    recipe.hadamard->random = RandomStream{seed, Stream::kHadamardSigns, 0};
  }
}

}  // namespace

GemmTreatment treatment_of(const ReplayOptions& options, const GemmRecord& record) {
  if (!options.takes(record)) {
    return {};
  }
  if (options.scheme) {
    return options.scheme->treatment(record);
  }
  GemmTreatment treatment;
  treatment.a = operand_treatment(options, record, OperandRole::kActivation);
  treatment.b = operand_treatment(
      options, record,
      record.kind == GemmKind::kWgrad ? OperandRole::kActivation : OperandRole::kWeight);
  treatment.epilogue = options.corrections.epilogue;
  if (options.residual.covers(record)) {
    treatment.residual = {options.residual.pattern, options.residual.build, options.residual.order,
                          options.corrections.fallback_alpha, options.corrections.fallback_tiles};
  }
  return treatment;
}

GemmTreatment with_streams(const GemmTreatment& treatment, const GemmRecord& record,
                           const TensorOrdinals& ordinals, uint64_t seed, int64_t batch_index) {
  GemmTreatment seeded = treatment;
  set_streams(seeded.a, ordinals.of(*record.a), seed, batch_index * record.m * record.k);
  set_streams(seeded.b, ordinals.of(*record.b), seed, batch_index * record.n * record.k);
  return seeded;
}

}  // namespace nibblecore::tb
