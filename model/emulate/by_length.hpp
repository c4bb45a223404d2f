// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/common/error.hpp"
#include "model/emulate/tile_shape.hpp"

namespace nibblecore {

/// Kernel<length of the tile's blocks>::run(tile, results): a loop over a block of known length is
/// unrolled. Kernels need names of their own even in unnamed namespaces: the compiler gives two
/// instances of this function one name in the program where those of their kernels are alike.
template <template <int> class Kernel, class Result>
void by_length(const TileBlocks& tile, Result* results) {
  switch (tile.length) {
    case 16:
      return Kernel<16>::run(tile, results);
    case 32:
      return Kernel<32>::run(tile, results);
    case 64:
      return Kernel<64>::run(tile, results);
    default:
      throw InternalError("no kernel for this length of a block");
  }
}

}  // namespace nibblecore
