// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/emulate/tile_shape.hpp"

namespace nibblecore {

/// The outputs of one row of a tile.
using ResultRow = std::array<uint32_t, kStripColumns>;

/// FP32 bits of a row of accumulators times alpha (1 changes no bit), every NaN as `nan`.
ResultRow result_row(const float* accumulators, float alpha, uint32_t nan);

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
