// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/bench/benchmark_rows.hpp"

namespace nibblecore::bench {

/// Time per multiply-accumulate of the emulator, decoding included, over a factor of 64 in M, N and
/// K: each size beside the middle one, and the worst of each series.
std::vector<BenchmarkRow> measure_scaling(int repetitions);

/// Peak memory of child processes that run one GEMM, beside what its operands, decoded operands and
/// result take.
std::vector<BenchmarkRow> measure_memory();

/// The child's side: a GEMM of size^3, or of none, and its peak of resident bytes.
int run_memory_child(int64_t size);

}  // namespace nibblecore::bench
