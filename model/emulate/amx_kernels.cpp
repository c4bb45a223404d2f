// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>

#include <immintrin.h>

#include "model/emulate/by_length.hpp"
#include "model/emulate/fetcher.hpp"
#include "model/emulate/tile_configuration.hpp"
#include "model/emulate/tile_kernels.hpp"

namespace nibblecore {
namespace {

constexpr std::ptrdiff_t kLanes = 16;
constexpr std::ptrdiff_t kTileRegisterRows = 16;
constexpr std::ptrdiff_t kQuad = 4;

// Tile registers: sums in 0 and 1, rows of A in 4, halves of a strip of B in 6 and 7.
constexpr TileConfiguration configuration_of(int length) {
  TileConfiguration configuration = whole_tiles();
  configuration.row_bytes[4] = static_cast<uint16_t>(length);
  configuration.rows[6] = configuration.rows[7] = static_cast<uint8_t>(length / kQuad);
  return configuration;
}

// In memory as a whole: to the compiler the instruction reads only its first bytes.
template <int Length>
constexpr TileConfiguration kConfiguration = configuration_of(Length);

/// Dots of one block: 16 rows of A at a time with both halves of the strip.
template <int Length>
[[gnu::target("amx-tile,amx-int8"), gnu::always_inline]] inline void block_dots(const uint8_t* a,
                                                                                const int8_t* b,
                                                                                std::ptrdiff_t rows,
                                                                                int32_t* dots) {
  constexpr std::ptrdiff_t kStripBytes = std::ptrdiff_t{kStripColumns} * kQuad;
  constexpr std::ptrdiff_t kDotBytes = std::ptrdiff_t{kStripColumns} * 4;
  _tile_loadd(6, b, kStripBytes);
  _tile_loadd(7, b + kLanes * kQuad, kStripBytes);
  for (std::ptrdiff_t row = 0; row < rows; row += kTileRegisterRows) {
    int32_t* out = dots + row * kStripColumns;
    _tile_loadd(4, a + row * Length, Length);
    _tile_zero(0);
    _tile_zero(1);
    _tile_dpbssd(0, 4, 6);
    _tile_dpbssd(1, 4, 7);
    _tile_stored(0, out, kDotBytes);
    _tile_stored(1, out + kLanes, kDotBytes);
  }
}

/// Adds the dots of some blocks to the accumulators of six rows, which stay in registers.
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline void add_dots(
    const TileBlocks& tile, int64_t blocks, const int32_t* dots, std::ptrdiff_t row,
    float* accumulators, Fetcher& fetcher) {
  constexpr int kRows = 6;
  fetcher.fetch();
  __m512 totals[kRows][2];
#pragma GCC unroll 6
  for (std::ptrdiff_t i = 0; i < kRows; ++i) {
    totals[i][0] = _mm512_load_ps(accumulators + (row + i) * kStripColumns);
    totals[i][1] = _mm512_load_ps(accumulators + (row + i) * kStripColumns + kLanes);
  }
  for (int64_t block = 0; block < blocks; ++block) {
    const __m512 b0 = _mm512_load_ps(tile.b_scales + block * kStripColumns);
    const __m512 b1 = _mm512_load_ps(tile.b_scales + block * kStripColumns + kLanes);
    const int32_t* from = dots + block * static_cast<int64_t>(kTileOutputs) + row * kStripColumns;
#pragma GCC unroll 6
    for (std::ptrdiff_t i = 0; i < kRows; ++i) {
      const __m512 scale = _mm512_set1_ps(tile.a_scales[block * kPanelRows + row + i]);
      const __m512i dot0 = _mm512_load_si512(from + i * kStripColumns);
      const __m512i dot1 = _mm512_load_si512(from + i * kStripColumns + kLanes);
      totals[i][0] =
          _mm512_fmadd_ps(_mm512_cvtepi32_ps(dot0), _mm512_mul_ps(scale, b0), totals[i][0]);
      totals[i][1] =
          _mm512_fmadd_ps(_mm512_cvtepi32_ps(dot1), _mm512_mul_ps(scale, b1), totals[i][1]);
    }
  }
#pragma GCC unroll 6
  for (std::ptrdiff_t i = 0; i < kRows; ++i) {
    _mm512_store_ps(accumulators + (row + i) * kStripColumns, totals[i][0]);
    _mm512_store_ps(accumulators + (row + i) * kStripColumns + kLanes, totals[i][1]);
  }
}

template <int Length>
struct AmxDots {
  [[gnu::target("amx-tile,amx-int8")]] static void run(const TileBlocks& tile, int32_t* result) {
    _tile_loadconfig(&kConfiguration<Length>);
    for (int64_t block = 0; block < tile.blocks; ++block) {
      block_dots<Length>(tile.a + block * kPanelRows * Length,
                         tile.b + block * kStripColumns * Length, tile.rows,
                         result + block * static_cast<int64_t>(kTileOutputs));
    }
    _tile_release();
  }
};

template <int Length>
struct AmxAdd {
  /// Blocks whose dots wait in the innermost cache for the vector units.
  static constexpr int64_t kChunk = 2;

  [[gnu::target("amx-tile,amx-int8,avx512f,avx512bw,avx512dq,avx512vl")]] static void run(
      const TileBlocks& tile, float* accumulators) {
    alignas(64) std::array<int32_t, 2 * kChunk * kTileOutputs> dots;
    _tile_loadconfig(&kConfiguration<Length>);
    Fetcher fetcher(tile, ceil_divide(tile.rows, 6) * ceil_divide(tile.blocks, kChunk));
    int32_t* next = dots.data();
    int32_t* current = dots.data() + kChunk * kTileOutputs;
    multiply(tile, 0, next);
    for (int64_t first = 0; first < tile.blocks; first += kChunk) {
      std::swap(next, current);
      // The tile unit works on the next blocks while the vector units add these.
      multiply(tile, first + kChunk, next);
      const int64_t blocks = std::min(kChunk, tile.blocks - first);
      const TileBlocks some = tile.part(first, blocks);
      for (std::ptrdiff_t row = 0; row < tile.rows; row += 6) {
        add_dots(some, blocks, current, row, accumulators, fetcher);
      }
    }
    _tile_release();
  }

 private:
  [[gnu::target("amx-tile,amx-int8"), gnu::always_inline]] static void multiply(
      const TileBlocks& tile, int64_t first, int32_t* dots) {
    for (int64_t block = first; block < std::min(first + kChunk, tile.blocks); ++block) {
      block_dots<Length>(tile.a + block * kPanelRows * Length,
                         tile.b + block * kStripColumns * Length, tile.rows,
                         dots + (block - first) * static_cast<int64_t>(kTileOutputs));
    }
  }
};

static_assert(kPanelRows % kTileRegisterRows == 0 && kPanelRows % 6 == 0);

}  // namespace

const TileKernels& amx_kernels() {
  static constexpr TileKernels kernels{ElementForm::kSigned, by_length<AmxDots, int32_t>,
                                       by_length<AmxAdd, float>};
  return kernels;
}

}  // namespace nibblecore
