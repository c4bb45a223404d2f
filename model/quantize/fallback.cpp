// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/fallback.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/common/parallel.hpp"
#include "model/quantize/magnitude_bits.hpp"

namespace nibblecore {

float fallback_value(float main, float residual, float alpha) {
  return std::fma(alpha, residual, main);
}

void require_fallback_tiles(const FallbackTiles& tiles) {
  if (tiles.rows <= 0 || tiles.channels <= 0 || tiles.channels % 2 != 0) {
    throw InputError("fallback tiles", std::to_string(tiles.rows) + " x " +
                                           std::to_string(tiles.channels) +
                                           " is not positive with an even number of channels");
  }
}

std::vector<float> tile_maxima(const RowSource& source, int64_t rows, int64_t k,
                               const FallbackTiles& tiles, int threads) {
  require_fallback_tiles(tiles);
  const int64_t row_tiles = ceil_divide(rows, tiles.rows);
  const int64_t channel_tiles = ceil_divide(k, tiles.channels);
  std::vector<float> maxima(
      static_cast<size_t>(checked_multiply(row_tiles, channel_tiles, "fallback tiles")));
  parallel_for(row_tiles, 1, threads, [&](int64_t begin, int64_t end) {
    std::vector<float> values(static_cast<size_t>(k));
    for (int64_t row = begin * tiles.rows; row < std::min(rows, end * tiles.rows); ++row) {
      source(row, values.data());
      float* row_maxima = maxima.data() + row / tiles.rows * channel_tiles;
      for (int64_t tile = 0; tile < channel_tiles; ++tile) {
        const int64_t first = tile * tiles.channels;
        const uint32_t largest = largest_magnitude_bits(
            values.data() + first, static_cast<size_t>(std::min(tiles.channels, k - first)));
        row_maxima[tile] = bits_float(std::max(float_bits(row_maxima[tile]), largest));
      }
    }
  });
  return maxima;
}

std::vector<uint8_t> tiles_above(const std::vector<float>& maxima, float theta) {
  std::vector<uint8_t> flags(maxima.size());
  std::transform(maxima.begin(), maxima.end(), flags.begin(), [&](float maximum) {
    return static_cast<uint8_t>(maximum > theta || std::isnan(maximum) ? 1 : 0);
  });
  return flags;
}

std::vector<uint8_t> largest_tiles_by_rate(const std::vector<float>& maxima, double rate) {
  if (!(rate >= 0 && rate <= 1)) {
    throw InputError("fallback rate", std::to_string(rate) + " is not within 0..1");
  }
  std::vector<size_t> order(maxima.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // Bits of magnitudes order as magnitudes do, NaN above all.
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return float_bits(maxima[a]) > float_bits(maxima[b]);
  });
  const auto count = static_cast<size_t>(std::floor(rate * static_cast<double>(maxima.size())));
  std::vector<uint8_t> flags(maxima.size());
  for (size_t i = 0; i < count; ++i) {
    flags[order[i]] = 1;
  }
  return flags;
}

std::vector<uint8_t> selected_tiles(const FallbackSelection& selection,
                                    const std::vector<float>& maxima) {
  if (selection.theta.has_value() == selection.rate.has_value()) {
    throw InternalError("tiles are selected by a threshold or by a rate");
  }
  return selection.theta ? tiles_above(maxima, *selection.theta)
                         : largest_tiles_by_rate(maxima, *selection.rate);
}

double fallback_rate(const std::vector<uint8_t>& flags) {
  if (flags.empty()) {
    return 0;
  }
  const auto flagged = std::count(flags.begin(), flags.end(), uint8_t{1});
  return static_cast<double>(flagged) / static_cast<double>(flags.size());
}

float adapted_threshold(float theta, double rate, const ThresholdBand& band) {
  if (!(band.lowest_rate >= 0 && band.lowest_rate <= band.highest_rate && band.highest_rate <= 1 &&
        band.factor > 1)) {
    throw InputError("fallback threshold",
                     "the band is not within 0..1 or its factor is not above 1");
  }
  if (rate < band.lowest_rate) {
    return theta / band.factor;
  }
  return rate > band.highest_rate ? theta * band.factor : theta;
}

PackedMatrix keep_flagged_tiles(PackedMatrix residual, const FallbackTiles& tiles,
                                const std::vector<uint8_t>& flags) {
  require_fallback_tiles(tiles);
  const int64_t channel_tiles = ceil_divide(residual.k, tiles.channels);
  if (flags.size() != static_cast<size_t>(ceil_divide(residual.rows, tiles.rows) * channel_tiles)) {
    throw InternalError("flags of another number of tiles");
  }
  const int64_t tile_bytes = tiles.channels / 2;
  for (int64_t row = 0; row < residual.rows; ++row) {
    for (int64_t tile = 0; tile < channel_tiles; ++tile) {
      if (flags[static_cast<size_t>(row / tiles.rows * channel_tiles + tile)] == 0) {
        // Bytes past the last tile are padding, zero already.
        const int64_t first = tile * tile_bytes;
        const int64_t last = std::min(residual.code_stride(), first + tile_bytes);
        std::fill(residual.row_codes(row) + first, residual.row_codes(row) + last, uint8_t{0});
      }
    }
  }
  return residual;
}

}  // namespace nibblecore
