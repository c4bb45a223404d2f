// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

// Templates over a lane or a bus of lanes: int32_t or Int16Lanes.

/// E2M1 code to its doubled integer, -12..12: the significand 1.m (0.m where the exponent field is
/// 0), shifted by one place in the fields 2 and 3 and by another in field 3; the sign last.
template <class Lanes>
[[gnu::always_inline]] constexpr void decode_e2m1_doubled(const Lanes& code, Lanes& value) {
  const Lanes low = (code >> 1) & 1;
  const Lanes high = (code >> 2) & 1;
  const Lanes significand = ((low | high) << 1) | (code & 1);
  const Lanes shifted_once = significand + (significand & -high);
  const Lanes magnitude = shifted_once + (shifted_once & -(high & low));
  const Lanes sign = -((code >> 3) & 1);
  value = (magnitude ^ sign) - sign;
}

/// S1P2 code and its level-3 micro-exponent to the multiplier's 5-bit input in quarters, -14..14.
template <class Lanes>
[[gnu::always_inline]] constexpr void decode_s1p2_shifted(const Lanes& code, const Lanes& level3,
                                                          Lanes& value) {
  const Lanes magnitude = code & 7;
  const Lanes shifted = magnitude + (magnitude & -level3);
  const Lanes sign = -((code >> 3) & 1);
  value = (shifted ^ sign) - sign;
}

/// A level-2 micro-exponent, bit 0 of `bits`, to the factor of its group's sum: 1 or 2.
template <class Lanes>
[[gnu::always_inline]] constexpr void decode_level2(const Lanes& bits, Lanes& factor) {
  factor = 1 + (bits & 1);
}

}  // namespace nibblecore::hw
