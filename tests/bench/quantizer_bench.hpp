// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/bench/benchmark_rows.hpp"

namespace nibblecore::bench {

/// Quantizers and dequantizers of 4096 x 4096 Gaussian numbers on one thread against memcpy of the
/// FP32 side, and quantizers of BF16 numbers against memcpy of these, in bytes of that a second.
std::vector<BenchmarkRow> measure_quantizers(int repetitions);

}  // namespace nibblecore::bench
