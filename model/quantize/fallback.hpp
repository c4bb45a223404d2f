// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/formats/packed_matrix.hpp"
#include "model/quantize/quantize_rows.hpp"

namespace nibblecore {

/// The value that dense outlier fallback (arXiv 2605.20402) stands for: RNE_FP32(x1 + alpha * x2),
/// rounded once; x1 the decoded operand, x2 its decoded residual.
float fallback_value(float main, float residual, float alpha);

/// Size of the tiles of block-selective fallback (after arXiv 2503.08040); those at the edges are
/// smaller.
struct FallbackTiles {
  int64_t rows = 128;
  int64_t channels = 128;  ///< along K, even
};

/// InputError where a size is not positive or `channels` is odd.
void require_fallback_tiles(const FallbackTiles& tiles);

/// The largest magnitude of each tile of `source` [rows, k]: [row tiles, channel tiles], row-major;
/// NaN where the tile has one.
std::vector<float> tile_maxima(const RowSource& source, int64_t rows, int64_t k,
                               const FallbackTiles& tiles, int threads);

/// 1 for each tile whose largest magnitude is above `theta`, or NaN.
std::vector<uint8_t> tiles_above(const std::vector<float>& maxima, float theta);

/// 1 for the floor(rate * tiles) tiles of largest magnitude, NaN above all; the lower index wins a
/// tie. InputError where `rate` is outside [0, 1].
std::vector<uint8_t> largest_tiles_by_rate(const std::vector<float>& maxima, double rate);

/// Which tiles of a residual take part, by the largest magnitude of the operand in each: those
/// above `theta`, or the share `rate`. One of the two is set.
struct FallbackSelection {
  FallbackTiles tiles;
  std::optional<float> theta;
  std::optional<double> rate;
};

/// 1 for each tile that `selection` takes: tiles_above or largest_tiles_by_rate.
/// InternalError where neither or both criteria are set.
std::vector<uint8_t> selected_tiles(const FallbackSelection& selection,
                                    const std::vector<float>& maxima);

/// The share of flagged tiles; 0 for none.
double fallback_rate(const std::vector<uint8_t>& flags);

/// How the threshold follows the share of flagged tiles from step to step.
struct ThresholdBand {
  double lowest_rate = 0.1;
  double highest_rate = 0.3;
  float factor = 1.3F;
};

/// The next threshold: theta / factor where `rate` is below the band, theta * factor above it, else
/// the same (one FP32 operation). InputError where the band is not within [0, 1], or factor <= 1.
float adapted_threshold(float theta, double rate, const ThresholdBand& band);

/// The residual with +0 in place of the elements of tiles without a flag; scales stay, as in
/// sparsify(). InternalError where the number of flags is not that of the tiles.
PackedMatrix keep_flagged_tiles(PackedMatrix residual, const FallbackTiles& tiles,
                                const std::vector<uint8_t>& flags);

}  // namespace nibblecore
