// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/emulate/lane_vectors.hpp"
#include "model/emulate/whole_node.hpp"

namespace nibblecore {

/// Whether alignment may cut something off an output of `row`.
///
/// The bits of positive FP32 numbers ascend as they do: with b those of a bound, the accumulator's
/// magnitude m is within iff m - b, taken as unsigned, is below `binades` exponents. Column bounds
/// are negative, so that b has the sign bit and the comparison can be a signed one.
template <int Width>
[[gnu::always_inline]] inline bool is_off_bounds(const WholeNode& node, int row) {
  using Vectors = LaneVectors<Width>;
  using Int = typename Vectors::Int;
  using Word = typename Vectors::Word;
  const Int none{};
  const int32_t last = INT32_MIN + ((node.binades << 23) - 1);
  const float* accumulators = node.accumulators + row * kStripColumns;
  const float* column_bounds = node.column_bounds;
  const float row_bound = node.row_bounds[row];
  Int largest = none + INT32_MIN;
  Int distances[kStripColumns / Width];
  for (int v = 0; v < kStripColumns / Width; ++v) {
    Word magnitudes;
    typename Vectors::Float bounds;
    Vectors::load(accumulators + v * Width, magnitudes);
    Vectors::load(column_bounds + v * Width, bounds);
    bounds *= row_bound;
    magnitudes &= 0x7FFFFFFF;
    distances[v] = reinterpret_cast<Int>(magnitudes - reinterpret_cast<Word>(bounds));
    largest = distances[v] > largest ? distances[v] : largest;
  }
  largest = largest > last ? none - 1 : none;
  if (__builtin_expect(static_cast<long>(Vectors::any(largest)), 0) == 0) {
    return false;
  }
  // Zeros lose nothing; infinities and NaNs stay.
  Int off = none;
  for (int v = 0; v < kStripColumns / Width; ++v) {
    Int magnitudes;
    Vectors::load(accumulators + v * Width, magnitudes);
    magnitudes &= 0x7FFFFFFF;
    Int suspect = distances[v] > last ? magnitudes : none;
    suspect = magnitudes < 0x7F800000 ? suspect : none;
    off |= suspect;
  }
  return Vectors::any(off);
}

}  // namespace nibblecore
