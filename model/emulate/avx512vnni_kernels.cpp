// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstring>

#include <immintrin.h>

#include "model/emulate/by_length.hpp"
#include "model/emulate/fetcher.hpp"
#include "model/emulate/tile_kernels.hpp"

namespace nibblecore {
namespace {

constexpr std::ptrdiff_t kLanes = 16;
constexpr std::ptrdiff_t kVectors = kStripColumns / kLanes;
constexpr std::ptrdiff_t kGroupRows =
    6;  // 12 accumulators, 12 sums, 2 vectors of B, a quad of A: registers
constexpr std::ptrdiff_t kQuad = 4;

/// The sums of some rows of A with a strip of B over one block.
template <int Rows>
struct Sums {
  __m512i of[Rows][kVectors];
};

template <int Rows, int Length>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::always_inline]] inline void
block_dots(const uint8_t* a, const int8_t* b, const int32_t* start, Sums<Rows>& sums) {
#pragma GCC unroll 2
  for (std::ptrdiff_t v = 0; v < kVectors; ++v) {
    const __m512i first = _mm512_load_si512(start + v * kLanes);
#pragma GCC unroll 6
    for (std::ptrdiff_t i = 0; i < Rows; ++i) {
      sums.of[i][v] = first;
    }
  }
  // Unrolled whole, or else the compiler copies every sum on each turn.
#pragma GCC unroll 16
  for (std::ptrdiff_t k = 0; k < Length; k += kQuad) {
    const int8_t* columns = b + k * kStripColumns;
    const __m512i b0 = _mm512_load_si512(columns);
    const __m512i b1 = _mm512_load_si512(columns + kLanes * kQuad);
#pragma GCC unroll 6
    for (std::ptrdiff_t i = 0; i < Rows; ++i) {
      int32_t quad = 0;
      std::memcpy(&quad, a + i * Length + k, sizeof quad);
      const __m512i row = _mm512_set1_epi32(quad);
      sums.of[i][0] = _mm512_dpbusd_epi32(sums.of[i][0], row, b0);
      sums.of[i][1] = _mm512_dpbusd_epi32(sums.of[i][1], row, b1);
    }
  }
}

/// Adds all blocks to the accumulators of some rows, which stay in registers meanwhile.
template <int Rows, int Length>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::always_inline]] inline void
add_rows(const TileBlocks& tile, std::ptrdiff_t first_row, float* accumulators, Fetcher& fetcher) {
  __m512 totals[Rows][kVectors];
#pragma GCC unroll 6
  for (std::ptrdiff_t i = 0; i < Rows; ++i) {
    totals[i][0] = _mm512_load_ps(accumulators + i * kStripColumns);
    totals[i][1] = _mm512_load_ps(accumulators + i * kStripColumns + kLanes);
  }
  const uint8_t* a = tile.a + first_row * Length;
  const float* a_scales = tile.a_scales + first_row;
  const int8_t* b = tile.b;
  const float* b_scales = tile.b_scales;
  const int32_t* starts = tile.b_start;
  for (int64_t block = 0; block < tile.blocks; ++block) {
    Sums<Rows> sums;
    fetcher.fetch();
    block_dots<Rows, Length>(a, b, starts, sums);
    const __m512 b0 = _mm512_load_ps(b_scales);
    const __m512 b1 = _mm512_load_ps(b_scales + kLanes);
#pragma GCC unroll 6
    for (std::ptrdiff_t i = 0; i < Rows; ++i) {
      const __m512 scale = _mm512_set1_ps(a_scales[i]);
      totals[i][0] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums.of[i][0]), _mm512_mul_ps(scale, b0),
                                     totals[i][0]);
      totals[i][1] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums.of[i][1]), _mm512_mul_ps(scale, b1),
                                     totals[i][1]);
    }
    a += kPanelRows * Length;
    a_scales += kPanelRows;
    b += kStripColumns * Length;
    b_scales += kStripColumns;
    starts += kStripColumns;
  }
#pragma GCC unroll 6
  for (std::ptrdiff_t i = 0; i < Rows; ++i) {
    _mm512_store_ps(accumulators + i * kStripColumns, totals[i][0]);
    _mm512_store_ps(accumulators + i * kStripColumns + kLanes, totals[i][1]);
  }
}

template <int Rows, int Length>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"), gnu::always_inline]] inline void
dots_of_rows(const TileBlocks& one, std::ptrdiff_t first_row, int32_t* dots) {
  Sums<Rows> sums;
  block_dots<Rows, Length>(one.a + first_row * Length, one.b, one.b_start, sums);
#pragma GCC unroll 6
  for (std::ptrdiff_t i = 0; i < Rows; ++i) {
    _mm512_store_si512(dots + i * kStripColumns, sums.of[i][0]);
    _mm512_store_si512(dots + i * kStripColumns + kLanes, sums.of[i][1]);
  }
}

template <int Length>
struct Avx512VnniAdd {
  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]] static void run(
      const TileBlocks& tile, float* accumulators) {
    Fetcher fetcher(tile, (tile.rows / kGroupRows) * tile.blocks);
    std::ptrdiff_t row = 0;
    for (; row + kGroupRows <= tile.rows; row += kGroupRows) {
      add_rows<kGroupRows, Length>(tile, row, accumulators + row * kStripColumns, fetcher);
    }
    for (; row + 2 <= tile.rows; row += 2) {
      add_rows<2, Length>(tile, row, accumulators + row * kStripColumns, fetcher);
    }
    if (row < tile.rows) {
      add_rows<1, Length>(tile, row, accumulators + row * kStripColumns, fetcher);
    }
  }
};

template <int Length>
struct Avx512VnniDots {
  [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]] static void run(
      const TileBlocks& tile, int32_t* result) {
    for (int64_t block = 0; block < tile.blocks; ++block) {
      const TileBlocks one = tile.part(block, 1);
      std::ptrdiff_t row = 0;
      for (; row + kGroupRows <= tile.rows; row += kGroupRows) {
        dots_of_rows<kGroupRows, Length>(one, row, result + row * kStripColumns);
      }
      for (; row < tile.rows; ++row) {
        dots_of_rows<1, Length>(one, row, result + row * kStripColumns);
      }
      result += kTileOutputs;
    }
  }
};

}  // namespace

const TileKernels& avx512vnni_kernels() {
  static constexpr TileKernels kernels{ElementForm::kBiased, by_length<Avx512VnniDots, int32_t>,
                                       by_length<Avx512VnniAdd, float>};
  return kernels;
}

}  // namespace nibblecore
