// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace nibblecore {

/// The number of threads that is meant: one per processor for 0 or less.
int thread_count(int threads);

/// Calls body(begin, end) over disjoint pieces of [0, count), on up to `threads` threads (at
/// least one; 0 means one per processor). Returns when all are done; the first exception thrown by
/// a piece is thrown again here. Pieces are multiples of `grain` but for the last.
void parallel_for(int64_t count, int64_t grain, int threads,
                  const std::function<void(int64_t begin, int64_t end)>& body);

}  // namespace nibblecore
