// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/select_residual.hpp"

#include <utility>

#include "model/quantize/sparsify.hpp"

namespace nibblecore {

PackedMatrix select_residual(const PackedMatrix& residual, const ResidualSelection& selection,
                             const RowSource& operand, int threads) {
  PackedMatrix selected = sparsify(residual, selection.pattern, threads);
  if (!selection.tiles) {
    return selected;
  }
  const FallbackTiles& tiles = selection.tiles->tiles;
  return keep_flagged_tiles(
      std::move(selected), tiles,
      selected_tiles(*selection.tiles,
                     tile_maxima(operand, residual.rows, residual.k, tiles, threads)));
}

}  // namespace nibblecore
