// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/machine/partition.hpp"
#include "tb/bench/core_bench.hpp"
#include "tb/bench/scoreboard.hpp"
#include "tb/replay/packed_product.hpp"

namespace nibblecore::tb {

/// Computes a whole product on the SystemC core: the share of each core of the partition, one after
/// the other. `d` [m, n] bits. InternalError where a share's cycles are not those of the cycle
/// model.
void run_partition(const Partition& partition, const PackedProduct& product, CoreBench& bench,
                   hw::TimelineSink* timeline, uint32_t* d);

/// One output tile of a product.
struct TileBounds {
  int64_t first_row;
  int64_t rows;
  int64_t first_column;
  int64_t columns;
};

/// `count` different tiles of the core's size (all, if there are fewer) of an m x n output; which
/// ones follows from `seed` alone.
std::vector<TileBounds> sample_tiles(const CoreDescription& core, int64_t m, int64_t n,
                                     int64_t count, uint64_t seed);

/// Computes one output tile on the SystemC core. [rows, columns] bits.
std::vector<uint32_t> run_tile(const GemmSpec& spec, const TileBounds& tile,
                               const PackedProduct& product, CoreBench& bench);

}  // namespace nibblecore::tb
