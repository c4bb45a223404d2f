// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/bf16_expander.hpp"

#include <algorithm>

#include <immintrin.h>

#include "model/common/checked.hpp"
#include "model/emulate/bf16_elements.hpp"

namespace nibblecore {
namespace {

constexpr int kRows = static_cast<int>(kBf16TileRows);
constexpr std::ptrdiff_t kRowElements = kBf16TileElements;

using Table = std::array<Bf16Elements, 256>;

/// What rows of one tile are decoded from: one block, or two of half its length.
struct Source {
  std::array<const uint8_t*, 2> codes;
  std::array<const uint8_t*, 2> scales;
  std::ptrdiff_t code_stride;
  std::ptrdiff_t scale_stride;
  const Table* table;
  bool has_second;  ///< or else zeros follow the first
};

template <int Length>
Source source_of(const Bf16Blocks& blocks, int64_t first_row, size_t tile) {
  constexpr size_t blocks_of_tile = kBf16TileElements / Length;
  const PackedMatrix& any = *blocks.blocks[0].matrix;
  const size_t first = tile * blocks_of_tile;
  Source source{{},
                {},
                any.code_stride(),
                any.scale_stride(),
                &bf16_elements(any.format.scale),
                first + 1 < static_cast<size_t>(blocks.count)};
  for (size_t i = 0; i < (source.has_second ? blocks_of_tile : 1); ++i) {
    const auto [matrix, index] = blocks.blocks[first + i];
    source.codes[i] = matrix->row_codes(first_row) + index * (Length / 2);
    source.scales[i] = matrix->row_scales(first_row) + index;
  }
  return source;
}

/// Tiles that the blocks take.
int64_t tiles_of(const Bf16Blocks& blocks) {
  return ceil_divide(blocks.count * blocks.blocks[0].matrix->format.block, kBf16TileElements);
}

/// Asks for the codes that the next stretch of K needs of these rows.
void fetch_next(const Source& source, std::ptrdiff_t rows) {
  constexpr std::ptrdiff_t line = 64;
  constexpr std::ptrdiff_t bytes = kBf16Tiles * kBf16TileElements / 2;
  for (std::ptrdiff_t row = 0; row < rows; ++row) {
    const uint8_t* const next = source.codes[0] + row * source.code_stride + bytes;
    for (std::ptrdiff_t i = 0; i < bytes; i += line) {
      __builtin_prefetch(next + i, 0, 2);
    }
  }
}

[[gnu::target("avx512f,avx512vl"), gnu::always_inline]] inline __m256i elements_of(
    const Source& source, std::ptrdiff_t row, size_t block) {
  const uint8_t scale = source.scales[block][row * source.scale_stride];
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>((*source.table)[scale].data()));
}

/// Words of a low nibble, with what is above it, and a high nibble: a look-up in 32 elements reads
/// five bits of each.
[[gnu::target("avx512f"), gnu::always_inline]] inline __m512i words_of(__m128i codes) {
  const __m512i pairs = _mm512_cvtepu8_epi32(codes);
  return _mm512_or_si512(pairs, _mm512_slli_epi32(pairs, 12));
}

/// The 32 elements of a row.
template <int Length>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline __m512i expanded(
    const Source& source, std::ptrdiff_t row) {
  const uint8_t* const first = source.codes[0] + row * source.code_stride;
  if constexpr (Length == kBf16TileElements) {
    const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(first));
    return _mm512_permutexvar_epi16(words_of(codes),
                                    _mm512_broadcast_i64x4(elements_of(source, row, 0)));
  }
  __m128i codes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(first));
  __m512i table = _mm512_zextsi256_si512(elements_of(source, row, 0));
  if (source.has_second) {
    const uint8_t* const second = source.codes[1] + row * source.code_stride;
    codes = _mm_unpacklo_epi64(codes, _mm_loadl_epi64(reinterpret_cast<const __m128i*>(second)));
    table = _mm512_inserti64x4(table, elements_of(source, row, 1), 1);
  }
  // The second half of the words looks up the second half of the table.
  const __m512i half = _mm512_inserti64x4(_mm512_setzero_si512(), _mm256_set1_epi16(16), 1);
  constexpr int or_of_and = 0xF8;  // half | (words & 0xF)
  return _mm512_permutexvar_epi16(
      _mm512_ternarylogic_epi32(half, words_of(codes), _mm512_set1_epi16(0xF), or_of_and), table);
}

using Rows = __m512i[kBf16TileRows];

/// Rows of sixteen pairs to sixteen rows of one pair each.
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl"), gnu::always_inline]] inline void turn(
    Rows& rows) {
  Rows pairs;
#pragma GCC unroll 8
  for (size_t i = 0; i < 16; i += 2) {
    pairs[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
  }
  // Of four rows each: numbers 0, 1, 2 and 3 of every four.
#pragma GCC unroll 4
  for (size_t i = 0; i < 16; i += 4) {
    rows[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
    rows[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
    rows[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
    rows[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
  }
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; ++i) {
    const __m512i low = _mm512_shuffle_i32x4(rows[i], rows[i + 4], 0x88);
    const __m512i odd = _mm512_shuffle_i32x4(rows[i], rows[i + 4], 0xDD);
    const __m512i low_behind = _mm512_shuffle_i32x4(rows[i + 8], rows[i + 12], 0x88);
    const __m512i odd_behind = _mm512_shuffle_i32x4(rows[i + 8], rows[i + 12], 0xDD);
    pairs[i] = _mm512_shuffle_i32x4(low, low_behind, 0x88);
    pairs[i + 8] = _mm512_shuffle_i32x4(low, low_behind, 0xDD);
    pairs[i + 4] = _mm512_shuffle_i32x4(odd, odd_behind, 0x88);
    pairs[i + 12] = _mm512_shuffle_i32x4(odd, odd_behind, 0xDD);
  }
#pragma GCC unroll 16
  for (size_t i = 0; i < 16; ++i) {
    rows[i] = pairs[i];
  }
}

template <int Length>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] void expand_left_rows(
    const Bf16Blocks& blocks, int64_t first_row, std::ptrdiff_t rows, uint16_t* elements) {
  const auto tiles = static_cast<size_t>(tiles_of(blocks));
  for (size_t tile = 0; tile < tiles; ++tile, elements += kBf16TileSize) {
    const Source source = source_of<Length>(blocks, first_row, tile);
    fetch_next(source, tile == 0 ? rows : 0);
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
      _mm512_store_si512(elements + row * kRowElements, expanded<Length>(source, row));
    }
  }
}

template <int Length>
[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl")]] void expand_right_rows(
    const Bf16Blocks& blocks, int64_t first_row, std::ptrdiff_t rows_there, uint16_t* elements) {
  const auto tiles = static_cast<size_t>(tiles_of(blocks));
  for (size_t tile = 0; tile < tiles; ++tile, elements += kBf16TileSize) {
    const Source source = source_of<Length>(blocks, first_row, tile);
    fetch_next(source, tile == 0 ? rows_there : 0);
    Rows rows;
    if (rows_there == kRows) {
#pragma GCC unroll 16
      for (std::ptrdiff_t row = 0; row < kRows; ++row) {
        rows[row] = expanded<Length>(source, row);
      }
    } else {
      for (std::ptrdiff_t row = 0; row < kRows; ++row) {
        rows[row] = row < rows_there ? expanded<Length>(source, row) : _mm512_setzero_si512();
      }
    }
    turn(rows);
#pragma GCC unroll 16
    for (std::ptrdiff_t pair = 0; pair < kRows; ++pair) {
      _mm512_store_si512(elements + pair * kRowElements, rows[pair]);
    }
  }
}

/// Rows from `first` on that a tile of them holds.
std::ptrdiff_t rows_from(const Bf16Blocks& blocks, int64_t first) {
  return std::clamp<std::ptrdiff_t>(blocks.blocks[0].matrix->rows - first, 0, kRows);
}

/// Zeros the tiles [first, end).
void clear_tiles(uint16_t* elements, int64_t first, int64_t end) {
  std::fill(elements + first * kBf16TileSize, elements + end * kBf16TileSize, uint16_t{0});
}

bool fills_tile(const Bf16Blocks& blocks) {
  return blocks.blocks[0].matrix->format.block == kBf16TileElements;
}

}  // namespace

void expand_left(const Bf16Blocks& blocks, int64_t first, int64_t tiles, uint16_t* elements) {
  const std::ptrdiff_t rows = rows_from(blocks, first);
  clear_tiles(elements, rows == kRows ? tiles_of(blocks) : 0, tiles);
  if (rows > 0) {
    (fills_tile(blocks) ? expand_left_rows<32> : expand_left_rows<16>)(blocks, first, rows,
                                                                       elements);
  }
}

void expand_right(const Bf16Blocks& blocks, int64_t first, int64_t tiles, uint16_t* elements) {
  const std::ptrdiff_t rows = rows_from(blocks, first);
  clear_tiles(elements, rows > 0 ? tiles_of(blocks) : 0, tiles);
  if (rows > 0) {
    (fills_tile(blocks) ? expand_right_rows<32> : expand_right_rows<16>)(blocks, first, rows,
                                                                         elements);
  }
}

}  // namespace nibblecore
