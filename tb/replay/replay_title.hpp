// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tb/replay/replay_options.hpp"

namespace nibblecore::tb {

/// What was run, in a line: quantization, policy, machine, fidelity, residual; then the notes of
/// scheme and machine, a line each.
std::string replay_title(const ReplayOptions& options);

}  // namespace nibblecore::tb
