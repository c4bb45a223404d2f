// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/bench/benchmark_rows.hpp"

namespace nibblecore::bench {

/// A 4096 x 4096 x 4096 MXFP4 GEMM on the default machine: seconds of the SystemC core, every value
/// and every cycle, and of the cycle model with its choice of a program. Every output is compared
/// with the emulator's, a seeded sample with the golden reference; InternalError where bits or
/// cycles differ. The rows' ratios are against the limits that the project sets itself.
std::vector<BenchmarkRow> measure_whole_gemm();

}  // namespace nibblecore::bench
