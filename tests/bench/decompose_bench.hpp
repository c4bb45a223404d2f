// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/bench/benchmark_rows.hpp"

namespace nibblecore::bench {

/// Values a second of the error decomposition of a 4096 x 4096 FP32 matrix, quantization included,
/// on two threads: a row for the default preset of each format. The ratio is its time over that of
/// the golden quantizer alone, taken in turns.
std::vector<BenchmarkRow> measure_decomposition(int repetitions);

}  // namespace nibblecore::bench
