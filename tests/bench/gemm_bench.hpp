// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/bench/benchmark_rows.hpp"

namespace nibblecore::bench {

/// Emulated GEMMs of 2048^3 on one thread against SGEMM of the dequantized operands and against the
/// peak of the vector units, in multiply-accumulates a second: formats, policies, corrections,
/// instruction sets; and two threads against one.
std::vector<BenchmarkRow> measure_gemms(int repetitions);

}  // namespace nibblecore::bench
