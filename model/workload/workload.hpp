// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/trace/gemm_record.hpp"
#include "model/workload/model_config.hpp"
#include "model/workload/recipe.hpp"

namespace nibblecore {

/// One phase of a workload, sums over its records.
struct PhaseTotals {
  std::string phase;
  int64_t tokens = 0;  ///< without padding
  int64_t passes = 0;  ///< of the layers
  int64_t rows = 0;    ///< of the layers over all passes, padding included
  int64_t fprop_macs = 0;
  int64_t dgrad_macs = 0;
  int64_t wgrad_macs = 0;
  int64_t records = 0;
  int64_t attention_macs = 0;  ///< of attention's own products, causal, whether listed or not

  int64_t macs() const { return fprop_macs + dgrad_macs + wgrad_macs; }
};

/// The GEMMs of one step of reinforcement learning as one rank computes them, equal ones of all
/// layers, micro-batches and experts in one record.
struct Workload {
  std::vector<GemmRecord> records;
  std::vector<PhaseTotals> phases;  ///< in the order of the step; only those that have passes
  int64_t forward_macs = 0;         ///< of one token through the whole model
  int64_t rollout_ranks = 1;
  int64_t train_ranks = 1;
};

/// The workload of a model under a recipe; the same for the same seed everywhere. InputError where
/// slices do not divide the model, a law of lengths can't be drawn from, or a sum leaves 64 bits.
Workload make_workload(const ModelConfig& model, const Recipe& recipe, uint64_t seed);

}  // namespace nibblecore
