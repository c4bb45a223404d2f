// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/workload/recipe.hpp"

namespace nibblecore {

/// Tokens of each micro-batch that sequences of these lengths are packed into, none of which is
/// longer than the limit: in order, each filled until the next sequence would exceed a limit; or
/// balanced, the longest sequence first into the micro-batch that holds least, over the fewest
/// micro-batches that keep the limits (about: verl's partition is Karmarkar and Karp's).
std::vector<int64_t> pack_micro_batches(const std::vector<int64_t>& lengths,
                                        const MicroBatchLimit& limit, Packing packing);

}  // namespace nibblecore
