// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nibblecore {

/// The phase that an annotation of a profile stands for, or nothing: names of veRL's workers found
/// anywhere in it (generate_sequences: rollout; log_prob: logprob; update_actor: train), or a phase
/// of the trace format itself.
std::optional<std::string> phase_of_annotation(std::string_view name);

/// k of the profiler's own ProfilerStep#k, or nothing.
std::optional<int64_t> step_of_annotation(std::string_view name);

}  // namespace nibblecore
