// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

// Multiplexers as words of equal bits. A condition would do, but a compiler makes cases of
// conditions that share operands, and multiplies the work of every lane by them.

/// All bits of the word, or none.
using Mask = uint32_t;

/// The borrow of a subtraction, or a sign: set where the value is negative.
[[gnu::always_inline]] constexpr Mask mask_if_negative(int32_t value) {
  return static_cast<Mask>(value >> 31);
}

/// Set where the value, below 2^31, is 0.
[[gnu::always_inline]] constexpr Mask mask_if_zero(uint32_t value) {
  return mask_if_negative(static_cast<int32_t>(value) - 1);
}

[[gnu::always_inline]] constexpr uint32_t select(Mask mask, uint32_t where_set,
                                                 uint32_t elsewhere) {
  return (where_set & mask) | (elsewhere & ~mask);
}

[[gnu::always_inline]] constexpr int32_t select(Mask mask, int32_t where_set, int32_t elsewhere) {
  return static_cast<int32_t>(
      select(mask, static_cast<uint32_t>(where_set), static_cast<uint32_t>(elsewhere)));
}

}  // namespace nibblecore::hw
