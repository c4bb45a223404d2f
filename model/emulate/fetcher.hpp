// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/common/checked.hpp"
#include "model/emulate/tile_shape.hpp"

namespace nibblecore {

/// Spreads the fetching of a tile's `ahead` memory into the second-level cache over the turns of a
/// kernel's loop.
class Fetcher {
 public:
  Fetcher(const TileBlocks& tile, int64_t turns)
      : next_(tile.ahead),
        left_(ceil_divide(tile.ahead_bytes, kCacheLine)),
        lines_(ceil_divide(left_, std::max<int64_t>(1, turns))) {}

  [[gnu::always_inline]] void fetch() {
    for (int64_t i = std::min(lines_, left_); i > 0; --i) {
      __builtin_prefetch(next_, 0, 2);
      next_ += kCacheLine;
      --left_;
    }
  }

 private:
  static constexpr int64_t kCacheLine = 64;
  const uint8_t* next_;
  int64_t left_;
  int64_t lines_;  ///< a turn
};

}  // namespace nibblecore
