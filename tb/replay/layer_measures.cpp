// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/layer_measures.hpp"

#include <algorithm>
#include <cmath>

#include "model/analysis/decompose.hpp"
#include "model/analysis/moments.hpp"
#include "model/common/bits.hpp"
#include "tb/replay/numeric_product.hpp"
#include "tb/replay/treatment.hpp"

namespace nibblecore::tb {
namespace {

bool starts_with(const std::string& text, const char* prefix) { return text.rfind(prefix, 0) == 0; }

/// Heads are the layers whose outputs are logits: named lm_head, embed_out, head and the like, and
/// kept from quantization by the trace.
bool is_head(const GemmRecord& record) {
  constexpr std::string_view kHead = "head";
  const std::string& layer = record.layer;
  return record.kind == GemmKind::kFprop && !record.quantize && layer.size() >= kHead.size() &&
         layer.compare(layer.size() - kHead.size(), kHead.size(), kHead) == 0;
}

/// Mean gamma of an operand whose blocks are of the raw values; nothing for others.
std::optional<double> mean_gamma(const MatrixView& view, const OperandTreatment& operand,
                                 int threads) {
  if (!operand.is_packed() || operand.recipe->hadamard || operand.recipe->macro ||
      operand.recipe->noise) {
    return std::nullopt;
  }
  // The rounding of elements changes no scale, and stochastic rounding would need random bits.
  const Preset& own = operand.recipe->preset;
  const Preset preset = is_stochastic(own) ? with_rounding(own, Rounding::kNearestEven) : own;
  const Decomposition parts = decompose(view, preset, threads);
  return parts.gamma.count > 0 ? std::optional<double>(parts.gamma.mean) : std::nullopt;
}

void add_factor(FactorChain& chain, const std::optional<double>& factor) {
  if (factor && *factor > 0) {
    chain.add(*factor);
  }
}

std::optional<double> output_gain(const ObservedProduct& product) {
  Agreement output;
  for (size_t i = 0; i < product.bits.size(); ++i) {
    output.add(product.truth[i], double{bits_float(product.bits[i])});
  }
  return output.gain();
}

std::optional<HeadTemperature> head_temperature(const ObservedProduct& product) {
  if (!is_head(product.record)) {
    return std::nullopt;
  }
  HeadTemperature head;
  head.phase = product.record.phase;
  head.layer = product.record.layer;
  const int64_t columns = product.record.n;
  for (int64_t row = 0; row < product.record.m; ++row) {
    head.add_row(product.truth.data() + row * columns, product.bits.data() + row * columns,
                 columns);
  }
  return head;
}

}  // namespace

void FactorChain::add(double factor) {
  ++layers;
  log2_product += std::log2(factor);
}

double FactorChain::product() const { return std::exp2(log2_product); }

std::optional<double> PhaseMismatch::relative() const {
  return agreement.reference > 0 ? std::optional<double>(difference / agreement.reference)
                                 : std::nullopt;
}

void HeadTemperature::add_row(const double* truth, const uint32_t* bits, int64_t columns) {
  std::vector<double> noise(static_cast<size_t>(columns));
  for (int64_t i = 0; i < columns; ++i) {
    noise[static_cast<size_t>(i)] = double{bits_float(bits[i])} - truth[i];
  }
  if (std::all_of(noise.begin(), noise.end(), [](double value) { return std::isfinite(value); })) {
    ++rows;
    const auto count = static_cast<double>(rows);
    noise_variance += (moments_of(noise.data(), columns).variance() - noise_variance) / count;
    logit_variance += (moments_of(truth, columns).variance() - logit_variance) / count;
  }
}

std::optional<double> HeadTemperature::temperature() const {
  return logit_variance > 0
             ? std::optional<double>(std::sqrt(1 + 2 * noise_variance / (2 * logit_variance)))
             : std::nullopt;
}

void LayerReport::add(const GemmRecord& record, const LayerObservation& observation) {
  auto sum = std::find_if(chains.begin(), chains.end(), [&](const GainChains& each) {
    return each.phase == record.phase && each.kind == record.kind;
  });
  if (sum == chains.end()) {
    sum = chains.insert(sum, GainChains{});
    sum->phase = record.phase;
    sum->kind = record.kind;
  }
  add_factor(sum->a_gamma, observation.a_gamma);
  add_factor(sum->b_gamma, observation.b_gamma);
  add_factor(sum->a_gain, observation.a_gain);
  add_factor(sum->b_gain, observation.b_gain);
  add_factor(sum->output_gain, observation.output_gain);
  if (observation.mismatch) {
    mismatches.push_back(*observation.mismatch);
  }
  if (observation.head) {
    heads.push_back(*observation.head);
  }
}

LayerObserver::LayerObserver(const ReplayOptions& options, const std::vector<GemmRecord>& records)
    : options_(options), ordinals_(records) {
  for (const GemmRecord& record : records) {
    if (record.kind == GemmKind::kFprop && starts_with(record.phase, "rollout")) {
      rollout_.emplace(record.layer, &record);
    }
  }
}

LayerObservation LayerObserver::observe(const ObservedProduct& product) const {
  return {mean_gamma(product.operands.a, product.treatment.a, options_.threads),
          mean_gamma(product.operands.b, product.treatment.b, options_.threads),
          product.a_gain,
          product.b_gain,
          output_gain(product),
          compare_phases(product),
          head_temperature(product)};
}

std::optional<PhaseMismatch> LayerObserver::compare_phases(const ObservedProduct& product) const {
  const GemmRecord& record = product.record;
  const auto rollout = rollout_.find(record.layer);
  if (record.kind != GemmKind::kFprop || !starts_with(record.phase, "train") ||
      rollout == rollout_.end()) {
    return std::nullopt;
  }
  // The training record as the rollout treats this layer: same operands, same random streams.
  GemmRecord as_rollout = record;
  as_rollout.phase = rollout->second->phase;
  const GemmTreatment treatment = with_streams(treatment_of(options_, as_rollout), record,
                                               ordinals_, options_.seed, product.batch_index);
  const std::vector<uint32_t> rollout_bits = numeric_product(options_, product.operands, treatment);
  PhaseMismatch mismatch;
  mismatch.layer = record.layer;
  mismatch.rollout_phase = as_rollout.phase;
  mismatch.training_phase = record.phase;
  for (size_t i = 0; i < rollout_bits.size(); ++i) {
    const double trained = bits_float(product.bits[i]);
    const double rolled_out = bits_float(rollout_bits[i]);
    ++mismatch.outputs;
    mismatch.differing += rollout_bits[i] != product.bits[i] ? 1 : 0;
    mismatch.agreement.add(trained, rolled_out);
    if (std::isfinite(trained) && std::isfinite(rolled_out)) {
      mismatch.difference += (rolled_out - trained) * (rolled_out - trained);
    }
  }
  return mismatch;
}

}  // namespace nibblecore::tb
