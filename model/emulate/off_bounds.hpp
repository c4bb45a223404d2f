// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/emulate/lane_vectors.hpp"
#include "model/emulate/node_bounds.hpp"

namespace nibblecore {

/// Whether any accumulator of `row` [kStripColumns] is off the bounds.
///
/// The bits of positive FP32 numbers ascend as they do: with b those of a bound, the accumulator's
/// magnitude m is within iff m - b, taken as unsigned, is below `binades` exponents. Column bounds
/// are negative, so that b has the sign bit and the comparison can be a signed one.
template <int Width>
[[gnu::always_inline]] inline bool is_off_bounds(const NodeBounds& node, int64_t row,
                                                 const float* accumulators) {
  using Vectors = LaneVectors<Width>;
  using Int = typename Vectors::Int;
  using Word = typename Vectors::Word;
  const int32_t last_within = INT32_MIN + ((node.binades << 23) - 1);
  const float* column_bounds = node.columns.data();
  const float row_bound = node.rows[static_cast<size_t>(row)];
  const Int last = Int{} + last_within;
  Int largest = last;
  Int distances[kStripColumns / Width];
  for (int64_t v = 0; v < kStripColumns / Width; ++v) {
    Word magnitudes;
    typename Vectors::Float bounds;
    Vectors::load(accumulators + v * Width, magnitudes);
    Vectors::load(column_bounds + v * Width, bounds);
    bounds *= row_bound;
    magnitudes &= 0x7FFFFFFF;
    distances[v] = reinterpret_cast<Int>(magnitudes - reinterpret_cast<Word>(bounds));
    largest = distances[v] > largest ? distances[v] : largest;
  }
  if (__builtin_expect(static_cast<long>(Vectors::any(largest ^ last)), 0) == 0) {
    return false;
  }
  // +0 is within; so are infinities and NaNs, which stay what they are. -0 takes the long way,
  // where it becomes +0 whatever the signs of zero products.
  Int off{};
  for (int64_t v = 0; v < kStripColumns / Width; ++v) {
    Word bits;
    Vectors::load(accumulators + v * Width, bits);
    const Int magnitudes = reinterpret_cast<Int>(bits & 0x7FFFFFFF);
    const Int is_zero = ~(reinterpret_cast<Int>(bits | (0 - bits)) >> 31);
    const Int is_special = (0x7F7FFFFF - magnitudes) >> 31;
    const Int beyond = (distances[v] > last ? distances[v] : last) ^ last;
    off |= beyond & ~is_zero & ~is_special;
  }
  return Vectors::any(off);
}

}  // namespace nibblecore
