// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/trace/gemm_record.hpp"
#include "model/workload/linear_layers.hpp"
#include "model/workload/model_config.hpp"
#include "model/workload/phase_passes.hpp"
#include "model/workload/workload.hpp"

namespace nibblecore {

/// How the rows of a phase become GEMMs.
struct PhaseRule {
  LayerOptions layers;
  int64_t expert_slices = 1;    ///< ranks that share the experts
  int64_t expert_multiple = 1;  ///< rows of an expert are rounded up to it
  int64_t experts_per_token = 0;
  std::vector<double> expert_shares;  ///< empty in a dense model
  bool trains = false;                ///< dgrad and wgrad too
  int64_t lora_rank = 0;              ///< of adapters in this phase
  Recomputation recomputation = Recomputation::kNone;
};

/// Appends the records of a phase (those of recomputation under phase "<phase>.recompute") and its
/// totals. Ids follow those there.
void add_phase(const ModelConfig& model, const PhasePasses& passes, const PhaseRule& rule,
               Workload& workload);

}  // namespace nibblecore
