// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "model/emulate/scale_numbers.hpp"
#include "model/emulate/tile_shape.hpp"
#include "model/formats/block_format.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {

/// What is known of the scales of some neighbouring blocks of a tile. The exponent of a scale is
/// floor(log2), but that of UE4M3's smallest normal number for its subnormal ones; the exponent of
/// a block of an output is the sum of both of its scales'. Scales that are zero or NaN count for
/// nothing.
struct NodeScales {
  int lowest = 0;   ///< no exponent of a block with a product other than zero is lower
  int highest = 0;  ///< none is higher
  /// Within one output the lowest exponent of such a block lies at most this far below the sum of
  /// the highest ones of its row and of its column.
  int spread = 0;
};

/// From the ranges of the panel's and the strip's scales alone.
NodeScales node_scales(const ScaleRange* a_ranges, const ScaleRange* b_ranges, int64_t blocks,
                       ScaleKind kind);

/// From every scale, which takes as long as a good part of the multiplication; blocks of a row or
/// a column whose elements are zero count in `highest` alone. `a_zero` is what a zero of A stands
/// as.
NodeScales node_scales(const TileBlocks& blocks, ScaleKind kind, uint8_t a_zero);

/// The least exponent that a scale has.
constexpr int least_scale_exponent(ScaleKind kind) {
  return kind == ScaleKind::kE8m0    ? kE8m0Format.min_exponent()
         : kind == ScaleKind::kUe4m3 ? kUe4m3Format.min_exponent()
                                     : kE6m2Format.min_exponent();
}

/// The exponent of a scale of a TileBlocks, neither zero nor NaN.
inline int scale_exponent(float scale, ScaleKind kind) {
  const int unit = kind == ScaleKind::kHif4 ? 2 : 1;  // elements are quarters, or halves
  const double number = scale;                        // in FP64 no scale is subnormal
  uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return std::max(static_cast<int>(bits >> 52) - 1023 + unit, least_scale_exponent(kind));
}

/// What an element 0 of A stands as.
uint8_t zero_of_a(ElementForm form, ElementKind element);

}  // namespace nibblecore
