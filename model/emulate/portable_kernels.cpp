// SPDX-License-Identifier: Apache-2.0
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "model/emulate/by_length.hpp"
#include "model/emulate/tile_kernels.hpp"

namespace nibblecore {
namespace {

static_assert(FLT_EVAL_METHOD == 0, "every operation must round to its own type");

constexpr std::ptrdiff_t kGroupRows = 4;
constexpr std::ptrdiff_t kColumns = 8;  // of the strip at a time
constexpr std::ptrdiff_t kQuad = 4;

// Vectors of x86-64's baseline (and of every other processor).
using Int16x8 = int16_t __attribute__((vector_size(16)));
using Int32x4 = int32_t __attribute__((vector_size(16)));
using Float32x4 = float __attribute__((vector_size(16)));

/// Sums of some rows of A with kColumns columns of B: for two columns a vector, of two halves of
/// each quad.
template <int Rows>
struct Sums {
  Int32x4 of[Rows][kColumns / 2];
};

/// Sums of neighbouring products.
inline Int32x4 pair_sums(Int16x8 a, Int16x8 b) {
#if defined(__SSE2__)
  return reinterpret_cast<Int32x4>(__builtin_ia32_pmaddwd128(a, b));
#else
  Int32x4 sums{};
  for (std::ptrdiff_t i = 0; i < 4; ++i) {
    sums[i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
  }
  return sums;
#endif
}

/// Eight signed bytes, widened.
inline Int16x8 widened(uint64_t bytes) {
  using Int8x8 = int8_t __attribute__((vector_size(8)));
  Int8x8 elements;
  std::memcpy(&elements, &bytes, sizeof elements);
  return __builtin_convertvector(elements, Int16x8);
}

/// A quad of A twice.
inline Int16x8 quad_twice(const uint8_t* a) {
  uint32_t quad = 0;
  std::memcpy(&quad, a, sizeof quad);
  return widened(quad | uint64_t{quad} << 32);
}

/// The quads of two columns.
inline Int16x8 two_quads(const int8_t* b) {
  uint64_t quads = 0;
  std::memcpy(&quads, b, sizeof quads);
  return widened(quads);
}

template <int Rows, int Length>
inline void block_dots(const uint8_t* a, const int8_t* b, Sums<Rows>& sums) {
  for (std::ptrdiff_t k = 0; k < Length; k += kQuad) {
    Int16x8 columns[kColumns / 2];
    for (std::ptrdiff_t j = 0; j < kColumns / 2; ++j) {
      columns[j] = two_quads(b + k * kStripColumns + 2 * j * kQuad);
    }
    for (std::ptrdiff_t i = 0; i < Rows; ++i) {
      const Int16x8 row = quad_twice(a + i * Length + k);
      for (std::ptrdiff_t j = 0; j < kColumns / 2; ++j) {
        const Int32x4 pairs = pair_sums(row, columns[j]);
        sums.of[i][j] = k == 0 ? pairs : sums.of[i][j] + pairs;
      }
    }
  }
}

/// Calls body(row, column, dots of four columns) for some rows and kColumns columns.
template <int Rows, int Length, class Body>
inline void for_each_dot(const TileBlocks& one, std::ptrdiff_t row, std::ptrdiff_t column,
                         const Body& body) {
  Sums<Rows> sums;
  block_dots<Rows, Length>(one.a + row * Length, one.b + column * kQuad, sums);
  for (std::ptrdiff_t i = 0; i < Rows; ++i) {
    for (std::ptrdiff_t j = 0; j < kColumns / 4; ++j) {
      const Int32x4 left = sums.of[i][2 * j];
      const Int32x4 right = sums.of[i][2 * j + 1];
      body(row + i, column + 4 * j,
           __builtin_shufflevector(left, right, 0, 2, 4, 6) +
               __builtin_shufflevector(left, right, 1, 3, 5, 7));
    }
  }
}

template <int Length, class Body>
inline void for_each_dot(const TileBlocks& one, const Body& body) {
  for (std::ptrdiff_t column = 0; column < kStripColumns; column += kColumns) {
    std::ptrdiff_t row = 0;
    for (; row + kGroupRows <= one.rows; row += kGroupRows) {
      for_each_dot<kGroupRows, Length>(one, row, column, body);
    }
    for (; row < one.rows; ++row) {
      for_each_dot<1, Length>(one, row, column, body);
    }
  }
}

template <int Length>
struct PortableAdd {
  static void run(const TileBlocks& tile, float* accumulators) {
    for (int64_t block = 0; block < tile.blocks; ++block) {
      const TileBlocks one = tile.part(block, 1);
      for_each_dot<Length>(
          one, [&](std::ptrdiff_t row, std::ptrdiff_t column, const Int32x4& dots) {
            float* to = accumulators + row * kStripColumns + column;
            Float32x4 scales;
            Float32x4 totals;
            std::memcpy(&scales, one.b_scales + column, sizeof scales);
            std::memcpy(&totals, to, sizeof totals);
            // The product is exact, so that the sum is the one rounding.
            totals += __builtin_convertvector(dots, Float32x4) * (one.a_scales[row] * scales);
            std::memcpy(to, &totals, sizeof totals);
          });
    }
  }
};

template <int Length>
struct PortableDots {
  static void run(const TileBlocks& tile, int32_t* result) {
    for (int64_t block = 0; block < tile.blocks; ++block) {
      for_each_dot<Length>(tile.part(block, 1),
                           [&](std::ptrdiff_t row, std::ptrdiff_t column, const Int32x4& dots) {
                             std::memcpy(result + row * kStripColumns + column, &dots, sizeof dots);
                           });
      result += kTileOutputs;
    }
  }
};

}  // namespace

const TileKernels& portable_kernels() {
  static constexpr TileKernels kernels{ElementForm::kSigned, by_length<PortableDots, int32_t>,
                                       by_length<PortableAdd, float>};
  return kernels;
}

}  // namespace nibblecore
