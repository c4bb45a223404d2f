// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/packed_matrix.hpp"
#include "model/formats/residual.hpp"

namespace nibblecore {

/// The half (rounded down) of the channels, the positions along K, whose decoded values have the
/// largest L2 norm over all rows: [k], 1 where selected. Norms are compared exactly, the lower
/// channel wins a tie; a channel that holds a NaN counts as larger than every other. The tensor
/// scale, common to all, plays no part.
std::vector<uint8_t> largest_channels(const PackedMatrix& matrix, int threads);

/// The same for tiles of kResidualTileRows x kResidualTileChannels, those at the edges smaller:
/// [ceil(rows / 32), ceil(k / 64)], row-major; the lower index wins a tie.
std::vector<uint8_t> largest_tiles(const PackedMatrix& matrix, int threads);

/// The mask that a pattern keeps of the quantized residual: largest_channels or largest_tiles;
/// empty for the patterns that need none.
std::vector<uint8_t> residual_mask(const PackedMatrix& residual, ResidualPattern pattern,
                                   int threads);

}  // namespace nibblecore
