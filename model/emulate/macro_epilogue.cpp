// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/macro_epilogue.hpp"

#include <array>
#include <cstddef>

#include "model/common/error.hpp"
#include "model/emulate/multiply_add.hpp"
#include "model/emulate/tile_shape.hpp"

namespace nibblecore {
namespace {

struct AddProduct {
  [[gnu::always_inline]] float operator()(float sum, float factor, float accumulator) const {
    return accumulator + sum * factor;
  }
};

struct MultiplyAdd {
  [[gnu::always_inline]] float operator()(float sum, float factor, float accumulator) const {
    return multiply_add(sum, factor, accumulator);
  }
};

/// The instruction of processors with AVX2.
struct FusedMultiplyAdd {
  [[gnu::always_inline]] float operator()(float sum, float factor, float accumulator) const {
    return __builtin_fmaf(sum, factor, accumulator);
  }
};

// A loop that the compiler makes vectors of.
template <class Take>
[[gnu::always_inline]] inline void take_in(const MacroTile& tile, const Take& take) {
  std::array<float, kStripColumns> column_factors;
  for (size_t i = 0; i < column_factors.size(); ++i) {
    column_factors[i] = tile.column_factors[i];
  }
  for (std::ptrdiff_t row = 0; row < tile.rows; ++row) {
    float* const sums = tile.sums + row * kStripColumns;
    float* const accumulators = tile.accumulators + row * kStripColumns;
    const float row_factor = tile.row_factors[row];
    for (size_t i = 0; i < column_factors.size(); ++i) {
      // The product of two FP16 factors is exact.
      accumulators[i] = take(sums[i], row_factor * column_factors[i], accumulators[i]);
      sums[i] = 0.0F;
    }
  }
}

template <class Take>
void take_in_portable(const MacroTile& tile) {
  take_in(tile, Take{});
}

template <class Take>
[[gnu::target("avx2,fma")]] void take_in_avx2(const MacroTile& tile) {
  take_in(tile, Take{});
}

template <class Take>
[[gnu::target("avx512f")]] void take_in_avx512(const MacroTile& tile) {
  take_in(tile, Take{});
}

/// `Portable` and `Native` round alike.
template <class Portable, class Native>
void take_in_on(const MacroTile& tile, EmulatorTarget target) {
  switch (target) {
    case EmulatorTarget::kPortable:
      return take_in_portable<Portable>(tile);
    case EmulatorTarget::kAvx2:
    case EmulatorTarget::kAvxVnni:
      return take_in_avx2<Native>(tile);
    case EmulatorTarget::kAvx512Vnni:
    case EmulatorTarget::kAmx:
      return take_in_avx512<Native>(tile);
  }
  throw InternalError("unknown emulator target");
}

}  // namespace

void take_in_macro_block(const MacroTile& tile, MacroEpilogue epilogue, EmulatorTarget target) {
  switch (epilogue) {
    case MacroEpilogue::kFused:
      return take_in_on<MultiplyAdd, FusedMultiplyAdd>(tile, target);
    case MacroEpilogue::kSeparate:
      return take_in_on<AddProduct, AddProduct>(tile, target);
  }
  throw InternalError("unknown epilogue of macro blocks");
}

}  // namespace nibblecore
