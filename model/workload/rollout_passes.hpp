// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/workload/phase_passes.hpp"
#include "model/workload/recipe.hpp"
#include "model/workload/samples.hpp"

namespace nibblecore {

/// The passes of rollout on one engine.
struct RolloutPasses {
  PhasePasses prefill;
  PhasePasses decode;
};

/// Schedules the samples as an engine with max_num_seqs slots does that prefers prefill: as long as
/// a slot is free and a sample waits, it computes prompts, in batches of up to
/// max_num_batched_tokens tokens, a prompt cut in chunks where it does not fit; then every running
/// sample decodes a token a step until the next one is finished. With the prefix cache a prompt is
/// computed once for all its samples, which must follow each other. A response's first token comes
/// from the prefill, so that its other response_tokens - 1 are decoded. The head computes one row
/// for each prompt whose last chunk is in a batch, and one for each running sample of a step.
RolloutPasses schedule_rollout(const std::vector<Sample>& samples, const Recipe& recipe);

}  // namespace nibblecore
