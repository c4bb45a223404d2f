// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/bench/benchmark_rows.hpp"

namespace nibblecore::bench {

/// Steps a second of the default core with values, in every format, on every SIMD target that is
/// available. Each is held against its limit, the SystemC kernel and the datapath measured alone
/// and taken one after the other; the datapath alone against its baseline. InternalError where a
/// result differs from the reference: a wrong core has no speed.
std::vector<BenchmarkRow> measure_core(int repetitions);

}  // namespace nibblecore::bench
