// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/amx_bf16_kernel.hpp"

#include <array>
#include <cstddef>

#include <immintrin.h>

#include "model/emulate/bf16_expander.hpp"
#include "model/emulate/tile_configuration.hpp"
#include "model/emulate/tile_shape.hpp"

namespace nibblecore {
namespace {

constexpr std::ptrdiff_t kRows = kBf16TileRows;
constexpr std::ptrdiff_t kRowBytes = 64;  // of every tile in memory

// Tile registers: products of blocks in 0 to 3, rows of A in 4 and 5, columns of B in 6 and 7.
constexpr TileConfiguration configuration_of(int length) {
  TileConfiguration configuration = whole_tiles();
  for (size_t left = 4; left < 6; ++left) {
    configuration.row_bytes[left] = static_cast<uint16_t>(length * 2);
    configuration.rows[left + 2] = static_cast<uint8_t>(length / 2);
  }
  return configuration;
}

template <int Length>
constexpr TileConfiguration kConfiguration = configuration_of(Length);

/// Sixteen rows of numbers, one for each column of half a strip.
using Products = std::array<float, kRows * kRows>;

/// Products of two blocks with both halves of a strip, which wait in the innermost cache for the
/// vector units: [block, half].
using Ring = std::array<Products, 4>;

/// Accumulators of sixteen rows and half a strip.
struct Totals {
  __m512 rows[kRows];
};

[[gnu::target("avx512f"), gnu::always_inline]] inline void load(const float* from, Totals& totals) {
#pragma GCC unroll 16
  for (std::ptrdiff_t row = 0; row < kRows; ++row) {
    totals.rows[row] = _mm512_load_ps(from + row * kStripColumns);
  }
}

[[gnu::target("avx512f"), gnu::always_inline]] inline void add(const Products& products,
                                                               Totals& totals) {
#pragma GCC unroll 16
  for (std::ptrdiff_t row = 0; row < kRows; ++row) {
    totals.rows[row] =
        _mm512_add_ps(totals.rows[row], _mm512_load_ps(products.data() + row * kRows));
  }
}

[[gnu::target("avx512f"), gnu::always_inline]] inline void store(const Totals& totals, float* to) {
#pragma GCC unroll 16
  for (std::ptrdiff_t row = 0; row < kRows; ++row) {
    _mm512_store_ps(to + row * kStripColumns, totals.rows[row]);
  }
}

template <int Length>
class Kernel {
 public:
  [[gnu::target("amx-tile,amx-bf16,avx512f")]] static void run(const Bf16Strip& strip,
                                                               float* accumulators) {
    const int64_t turns = strip.tiles / kTilesOfTurn;
    const std::ptrdiff_t half = strip.tiles * kBf16TileSize;
    const uint16_t* left = strip.left;
    const uint16_t* right = strip.right;
    alignas(64) Ring ring;
    _tile_loadconfig(&kConfiguration<Length>);
    // Products are stored two multiplications after they are asked for, and added another two
    // later: the tile unit works on the next meanwhile.
    multiply_first<0>(left, right);
    multiply_first<1>(left, right + half);
    put<0>(ring);
    multiply_second<0>(left, right);
    put<1>(ring);
    multiply_second<1>(left, right + half);
    for (int64_t unit = 0; unit < strip.units; ++unit, accumulators += kRows * kStripColumns) {
      // All 32 vector registers.
      Totals totals[2];
      load(accumulators, totals[0]);
      load(accumulators + kRows, totals[1]);
      for (int64_t turn = 1; turn <= turns; ++turn) {
        // A lies unit after unit; behind the last one the products are not used.
        left += kTilesOfTurn * kBf16TileSize;
        right = turn < turns ? right + kTilesOfTurn * kBf16TileSize : strip.right;
        put<2>(ring);
        multiply_first<0>(left, right);
        add(ring[0], totals[0]);
        put<3>(ring);
        multiply_first<1>(left, right + half);
        add(ring[1], totals[1]);
        put<0>(ring);
        multiply_second<0>(left, right);
        add(ring[2], totals[0]);
        put<1>(ring);
        multiply_second<1>(left, right + half);
        add(ring[3], totals[1]);
      }
      store(totals[0], accumulators);
      store(totals[1], accumulators + kRows);
    }
    _tile_release();
  }

 private:
  // A turn takes two blocks.
  static constexpr std::ptrdiff_t kTilesOfTurn = std::ptrdiff_t{2} * Length / kBf16TileElements;
  static constexpr bool kSharesTile = kTilesOfTurn == 1;
  static constexpr std::ptrdiff_t kSecondLeft = kSharesTile ? Length : kBf16TileSize;
  static constexpr std::ptrdiff_t kSecondRight = kSharesTile ? kBf16TileSize / 2 : kBf16TileSize;

  /// The first block of a turn with half `Half` of the strip.
  template <int Half>
  [[gnu::target("amx-tile,amx-bf16"), gnu::always_inline]] static void multiply_first(
      const uint16_t* left, const uint16_t* right) {
    if constexpr (Half == 0) {
      _tile_loadd(4, left, kRowBytes);
      _tile_loadd(6, right, kRowBytes);
      _tile_zero(0);
      _tile_dpbf16ps(0, 4, 6);
    } else {
      _tile_loadd(7, right, kRowBytes);
      _tile_zero(1);
      _tile_dpbf16ps(1, 4, 7);
    }
  }

  template <int Half>
  [[gnu::target("amx-tile,amx-bf16"), gnu::always_inline]] static void multiply_second(
      const uint16_t* left, const uint16_t* right) {
    if constexpr (Half == 0) {
      _tile_loadd(5, left + kSecondLeft, kRowBytes);
      _tile_loadd(6, right + kSecondRight, kRowBytes);
      _tile_zero(2);
      _tile_dpbf16ps(2, 5, 6);
    } else {
      _tile_loadd(7, right + kSecondRight, kRowBytes);
      _tile_zero(3);
      _tile_dpbf16ps(3, 5, 7);
    }
  }

  template <size_t Number>
  [[gnu::target("amx-tile"), gnu::always_inline]] static void put(Ring& ring) {
    float* const to = ring[Number].data();
    if constexpr (Number == 0) {
      _tile_stored(0, to, kRowBytes);
    } else if constexpr (Number == 1) {
      _tile_stored(1, to, kRowBytes);
    } else if constexpr (Number == 2) {
      _tile_stored(2, to, kRowBytes);
    } else {
      _tile_stored(3, to, kRowBytes);
    }
  }
};

}  // namespace

void add_bf16_strip(const Bf16Strip& strip, float* accumulators) {
  if (strip.length == kBf16TileElements) {
    Kernel<32>::run(strip, accumulators);
  } else {
    Kernel<16>::run(strip, accumulators);
  }
}

}  // namespace nibblecore
