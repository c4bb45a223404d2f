// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/workload/phase_passes.hpp"
#include "model/workload/recipe.hpp"
#include "model/workload/samples.hpp"

namespace nibblecore {

/// The passes of rank 0 of the trainer over all samples at once, as for log-probabilities. Ranks
/// that share experts route the micro-batches of the same number together.
PhasePasses logprob_passes(const std::string& phase, const std::vector<Sample>& samples,
                           const Recipe& recipe);

/// Those over all samples in mini-batches of mini_batch_prompts prompts, as for training.
PhasePasses train_passes(const std::vector<Sample>& samples, const Recipe& recipe);

}  // namespace nibblecore
