// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hw/datapath/quantizer_widths.hpp"

namespace nibblecore::hw {

/// One level of the maximum tree: a 31-bit comparator a pair of neighbours. Magnitude bits of FP32
/// order like unsigned integers, infinity above all numbers and NaN above infinity.
template <size_t Count>
std::array<uint32_t, Count / 2> maximum_of_pairs(const std::array<uint32_t, Count>& magnitudes) {
  static_assert(Count % 2 == 0, "a level halves the number of values");
  std::array<uint32_t, Count / 2> larger{};
  WidthMonitor width(kMagnitude);
  for (size_t i = 0; i < Count / 2; ++i) {
    const uint32_t left = magnitudes[2 * i];
    const uint32_t right = magnitudes[2 * i + 1];
    width.observe(left);
    width.observe(right);
    larger[i] = left > right ? left : right;
  }
  width.require();
  return larger;
}

/// The whole tree: log2(Count) levels.
template <size_t Count>
uint32_t largest_magnitude(const std::array<uint32_t, Count>& magnitudes) {
  if constexpr (Count == 1) {
    return magnitudes[0];
  } else {
    return largest_magnitude(maximum_of_pairs(magnitudes));
  }
}

/// Exponent field all ones: infinity or NaN, whatever the sign.
constexpr bool is_non_finite(uint32_t bits) { return ((bits >> 23) & 0xFF) == 0xFF; }

}  // namespace nibblecore::hw
