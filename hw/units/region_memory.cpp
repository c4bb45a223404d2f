// SPDX-License-Identifier: Apache-2.0
#include "hw/units/region_memory.hpp"

#include <algorithm>

namespace nibblecore::hw {

RegionMemory::RegionMemory(const CoreDescription& core)
    : core_(core), tile_values_(static_cast<size_t>(core.rows) * padded_lanes(core.columns)) {}

void RegionMemory::start(int64_t tiles, const GemmSpec& spec) {
  const size_t values = static_cast<size_t>(tiles) * tile_values_;
  const bool own_residual = spec.residual_accumulator == ResidualAccumulator::kOwn;
  const bool has_macro_blocks = spec.macro_length > 0;
  for (Planes& half : halves_) {
    half[static_cast<size_t>(AccumulatorPlane::kResult)].resize(values);
    half[static_cast<size_t>(AccumulatorPlane::kResidual)].resize(own_residual ? values : 0);
    half[static_cast<size_t>(AccumulatorPlane::kTileSum)].resize(has_macro_blocks ? values : 0);
    half[static_cast<size_t>(AccumulatorPlane::kResidualTileSum)].resize(
        own_residual && has_macro_blocks ? values : 0);
  }
}

/// Calls `copy` with the accumulators of one row of one tile, where its values lie among the
/// region's, and how many there are.
template <class Copy>
void RegionMemory::for_each_run(size_t half, const ChunkBody& region, AccumulatorPlane plane,
                                Copy copy) {
  for (int64_t row = 0; row < region.rows; ++row) {
    for (int64_t column = 0; column < region.columns; column += core_.columns) {
      const int64_t index = row / core_.rows * region.column_tiles + column / core_.columns;
      copy(tile(half, index, plane) + row % core_.rows * padded_lanes(core_.columns),
           row * region.columns + column,
           std::min<int64_t>(core_.columns, region.columns - column));
    }
  }
}

void RegionMemory::fill(size_t half, const ChunkBody& region, const uint32_t* values) {
  for_each_run(half, region, AccumulatorPlane::kResult,
               [&](uint32_t* run, int64_t offset, int64_t count) {
                 std::copy_n(values + offset, count, run);
               });
}

void RegionMemory::read(size_t half, const ChunkBody& region, uint32_t* values,
                        AccumulatorPlane plane) {
  for_each_run(half, region, plane, [&](const uint32_t* run, int64_t offset, int64_t count) {
    std::copy_n(run, count, values + offset);
  });
}

}  // namespace nibblecore::hw
