// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstring>

#include <immintrin.h>

#include "model/emulate/by_length.hpp"
#include "model/emulate/tile_kernels.hpp"
#include "model/emulate/ymm_sums.hpp"

namespace nibblecore {
namespace {

constexpr std::ptrdiff_t kQuad = 4;
/// Longest run of elements whose sums of pairs fit 16 bits: 16 pairs of at most 2 * 56 * 28.
constexpr int kRun = 32;

/// Dots over a run, two 16-bit sums a column.
template <int Rows, int Length, int Run>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void run_dots(const uint8_t* a,
                                                                     const int8_t* b,
                                                                     YmmSums<Rows>& sums) {
#pragma GCC unroll 8
  for (std::ptrdiff_t k = 0; k < Run; k += kQuad) {
    const auto* columns = reinterpret_cast<const __m256i*>(b + k * kStripColumns);
    const __m256i b0 = _mm256_load_si256(columns);
    const __m256i b1 = _mm256_load_si256(columns + 1);
#pragma GCC unroll 4
    for (std::ptrdiff_t i = 0; i < Rows; ++i) {
      int32_t quad = 0;
      std::memcpy(&quad, a + i * Length + k, sizeof quad);
      const __m256i row = _mm256_set1_epi32(quad);
      const __m256i pairs0 = _mm256_maddubs_epi16(row, b0);
      const __m256i pairs1 = _mm256_maddubs_epi16(row, b1);
      sums.of[i][0] = k == 0 ? pairs0 : _mm256_add_epi16(sums.of[i][0], pairs0);
      sums.of[i][1] = k == 0 ? pairs1 : _mm256_add_epi16(sums.of[i][1], pairs1);
    }
  }
}

template <int Rows, int Length>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void block_dots(const uint8_t* a,
                                                                       const int8_t* b,
                                                                       const int32_t* start,
                                                                       YmmSums<Rows>& dots) {
  constexpr int kLength = Length < kRun ? Length : kRun;
  const __m256i ones = _mm256_set1_epi16(1);
  const auto* starts = reinterpret_cast<const __m256i*>(start);
#pragma GCC unroll 2
  for (std::ptrdiff_t first = 0; first < Length; first += kLength) {
    YmmSums<Rows> sums;
    run_dots<Rows, Length, kLength>(a + first, b + first * kStripColumns, sums);
#pragma GCC unroll 4
    for (std::ptrdiff_t i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
      for (std::ptrdiff_t v = 0; v < kYmmVectors; ++v) {
        const __m256i before = first == 0 ? _mm256_load_si256(starts + v) : dots.of[i][v];
        dots.of[i][v] = _mm256_add_epi32(before, _mm256_madd_epi16(sums.of[i][v], ones));
      }
    }
  }
}

template <int Rows, int Length>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void add_rows(const TileBlocks& one,
                                                                     std::ptrdiff_t row,
                                                                     std::ptrdiff_t column,
                                                                     float* accumulators) {
  YmmSums<Rows> dots;
  block_dots<Rows, Length>(one.a + row * Length, one.b + column * kQuad, one.b_start + column,
                           dots);
  add_ymm_dots(dots, one, row, column, accumulators);
}

template <int Rows, int Length>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void dots_of_rows(const TileBlocks& one,
                                                                         std::ptrdiff_t row,
                                                                         std::ptrdiff_t column,
                                                                         int32_t* result) {
  YmmSums<Rows> dots;
  block_dots<Rows, Length>(one.a + row * Length, one.b + column * kQuad, one.b_start + column,
                           dots);
  store_ymm_dots(dots, row, column, result);
}

template <int Length>
struct Avx2Add {
  [[gnu::target("avx2,fma")]] static void run(const TileBlocks& tile, float* accumulators) {
    for (int64_t block = 0; block < tile.blocks; ++block) {
      const TileBlocks one = tile.part(block, 1);
      for (std::ptrdiff_t column = 0; column < kStripColumns; column += kYmmColumns) {
        std::ptrdiff_t row = 0;
        for (; row + kYmmRows <= tile.rows; row += kYmmRows) {
          add_rows<kYmmRows, Length>(one, row, column, accumulators);
        }
        for (; row < tile.rows; ++row) {
          add_rows<1, Length>(one, row, column, accumulators);
        }
      }
    }
  }
};

template <int Length>
struct Avx2Dots {
  [[gnu::target("avx2,fma")]] static void run(const TileBlocks& tile, int32_t* result) {
    for (int64_t block = 0; block < tile.blocks; ++block) {
      const TileBlocks one = tile.part(block, 1);
      for (std::ptrdiff_t column = 0; column < kStripColumns; column += kYmmColumns) {
        std::ptrdiff_t row = 0;
        for (; row + kYmmRows <= tile.rows; row += kYmmRows) {
          dots_of_rows<kYmmRows, Length>(one, row, column, result);
        }
        for (; row < tile.rows; ++row) {
          dots_of_rows<1, Length>(one, row, column, result);
        }
      }
      result += kTileOutputs;
    }
  }
};

}  // namespace

const TileKernels& avx2_kernels() {
  static constexpr TileKernels kernels{ElementForm::kBiased, by_length<Avx2Dots, int32_t>,
                                       by_length<Avx2Add, float>};
  return kernels;
}

}  // namespace nibblecore
