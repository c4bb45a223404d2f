// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/tile_shape.hpp"

namespace nibblecore {

/// One row of some tiles that lie side by side in the result.
struct AccumulatorRow {
  const float* first;     ///< kStripColumns accumulators of the first tile
  std::ptrdiff_t stride;  ///< from one tile's to the next one's
  int64_t tiles;
  float alpha;
  uint32_t nan;
};

/// Writes the FP32 bits of accumulators times alpha (1 changes no bit), every NaN as `nan`, to
/// `results` [tiles, kStripColumns].
void finish_results(const AccumulatorRow& row, EmulatorTarget target, uint32_t* results);

/// Where results go.
enum class StoreKind {
  kCached,
  kStreaming,  ///< past the caches, for results that these don't hold
};

/// The kind for a result of `outputs` numbers.
StoreKind store_kind_of(int64_t outputs);

/// Writes `count` neighbouring results.
void store_results(const uint32_t* results, int64_t count, StoreKind kind, uint32_t* to);

/// Makes streamed results visible to other threads.
void finish_stores();

}  // namespace nibblecore
