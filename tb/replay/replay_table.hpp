// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tb/replay/replay.hpp"

namespace nibblecore::tb {

/// The replay for a person: every GEMM, sums per phase and GEMM kind, the ULP histogram against
/// QDQ, and one line that says whether hardware bits equal golden bits.
std::string replay_table(const ReplayOptions& options, const ReplayResult& result);

}  // namespace nibblecore::tb
