// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <immintrin.h>

#include "model/emulate/tile_shape.hpp"

namespace nibblecore {

// What the kernels on registers of 256 bits share: which dots they keep, and what they do with
// them. How a dot is formed is each one's own.

inline constexpr std::ptrdiff_t kYmmLanes = 8;
inline constexpr std::ptrdiff_t kYmmVectors = 2;
inline constexpr std::ptrdiff_t kYmmColumns = kYmmVectors * kYmmLanes;
inline constexpr std::ptrdiff_t kYmmRows = 4;  // with two vectors of columns: 8 sums in registers

/// Sums of some rows of A with kYmmColumns columns of B.
template <int Rows>
struct YmmSums {
  __m256i of[Rows][kYmmVectors];
};

/// Adds the dots of one block, from this row and column on, to the accumulators of the tile.
template <int Rows>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void add_ymm_dots(const YmmSums<Rows>& dots,
                                                                         const TileBlocks& one,
                                                                         std::ptrdiff_t row,
                                                                         std::ptrdiff_t column,
                                                                         float* accumulators) {
  const __m256 b0 = _mm256_load_ps(one.b_scales + column);
  const __m256 b1 = _mm256_load_ps(one.b_scales + column + kYmmLanes);
#pragma GCC unroll 4
  for (std::ptrdiff_t i = 0; i < Rows; ++i) {
    const __m256 a = _mm256_set1_ps(one.a_scales[row + i]);
    float* to = accumulators + (row + i) * kStripColumns + column;
    _mm256_store_ps(to, _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots.of[i][0]), _mm256_mul_ps(a, b0),
                                        _mm256_load_ps(to)));
    _mm256_store_ps(to + kYmmLanes,
                    _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots.of[i][1]), _mm256_mul_ps(a, b1),
                                    _mm256_load_ps(to + kYmmLanes)));
  }
}

/// Writes the dots of one block, from this row and column on, to those of the tile.
template <int Rows>
[[gnu::target("avx2,fma"), gnu::always_inline]] inline void store_ymm_dots(
    const YmmSums<Rows>& dots, std::ptrdiff_t row, std::ptrdiff_t column, int32_t* result) {
#pragma GCC unroll 4
  for (std::ptrdiff_t i = 0; i < Rows; ++i) {
    auto* to = reinterpret_cast<__m256i*>(result + (row + i) * kStripColumns + column);
    _mm256_store_si256(to, dots.of[i][0]);
    _mm256_store_si256(to + 1, dots.of[i][1]);
  }
}

}  // namespace nibblecore
