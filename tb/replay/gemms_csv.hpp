// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "tb/replay/replay.hpp"

namespace nibblecore::tb {

/// A line a GEMM: shape, cycles, values. Columns are only ever added at the end.
void write_gemms_csv(std::ostream& out, const ReplayOptions& options, const ReplayResult& result);

}  // namespace nibblecore::tb
