// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/quantize/agreement.hpp"
#include "model/trace/tensor_ordinals.hpp"
#include "model/trace/trace.hpp"
#include "tb/replay/replay_options.hpp"

namespace nibblecore::tb {

/// What a chain of layers would make of a factor: the sum of its base-2 logarithms over layers.
struct FactorChain {
  int64_t layers = 0;
  double log2_product = 0;

  void add(double factor);
  double product() const;
};

/// Figures over the GEMMs of one phase and kind: the published "product of gamma" (gamma = block
/// scale over ideal scale; arXiv 2605.20402) beside the gains that are measured (<Q, x> / <x, x>).
struct GainChains {
  std::string phase;
  GemmKind kind = GemmKind::kFprop;
  FactorChain a_gamma;  ///< of each operand's mean gamma, where its blocks are of the raw values
  FactorChain b_gamma;
  FactorChain a_gain;
  FactorChain b_gain;
  FactorChain output_gain;
};

/// The same layer and operands under the treatments of rollout and training.
struct PhaseMismatch {
  std::string layer;
  std::string rollout_phase;
  std::string training_phase;
  int64_t outputs = 0;
  int64_t differing = 0;  ///< outputs of other bits
  double difference = 0;  ///< sum of (rollout - training)^2
  Agreement agreement;    ///< of the rollout's outputs with training's

  /// Energy of the difference over that of training's outputs; nothing where those are 0.
  std::optional<double> relative() const;
};

/// Noise on the logits of a head as a temperature (arXiv 2605.20402, eq. 5):
/// T = sqrt(1 + 2 sigma^2 / Var(dl)), sigma^2 the variance of the error of a logit and dl the
/// difference of two logits of a row. Softmax does not see what all logits of a row share, so both
/// variances are within rows; Var(dl) is then twice the variance of a row's logits.
struct HeadTemperature {
  std::string phase;
  std::string layer;
  int64_t rows = 0;
  double noise_variance = 0;  ///< mean over rows
  double logit_variance = 0;

  void add_row(const double* truth, const uint32_t* bits, int64_t columns);
  /// Nothing where the logits don't vary.
  std::optional<double> temperature() const;
};

/// What one product shows.
struct LayerObservation {
  std::optional<double> a_gamma;
  std::optional<double> b_gamma;
  std::optional<double> a_gain;
  std::optional<double> b_gain;
  std::optional<double> output_gain;
  std::optional<PhaseMismatch> mismatch;
  std::optional<HeadTemperature> head;
};

struct LayerReport {
  std::vector<GainChains> chains;
  std::vector<PhaseMismatch> mismatches;
  std::vector<HeadTemperature> heads;

  /// Adds what a product of this record shows; the order of the calls counts.
  void add(const GemmRecord& record, const LayerObservation& observation);
};

/// A product that a replay has computed.
struct ObservedProduct {
  const GemmRecord& record;
  const Operands& operands;
  const GemmTreatment& treatment;  ///< random streams set
  int64_t batch_index;
  const std::vector<uint32_t>& bits;
  const std::vector<double>& truth;
  std::optional<double> a_gain;
  std::optional<double> b_gain;
};

/// Takes layer-level measures from the products of a replay.
class LayerObserver {
 public:
  /// `options` and the records outlive the observer; records that a filter leaves out count for
  /// which layers are in which phases.
  LayerObserver(const ReplayOptions& options, const std::vector<GemmRecord>& records);

  LayerObservation observe(const ObservedProduct& product) const;

 private:
  std::optional<PhaseMismatch> compare_phases(const ObservedProduct& product) const;

  const ReplayOptions& options_;
  TensorOrdinals ordinals_;
  std::map<std::string, const GemmRecord*> rollout_;  ///< first fprop of a rollout phase, by layer
};

}  // namespace nibblecore::tb
