// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

/// E2M1 code to its doubled integer, -12..12: the significand 1.m (0.m where the exponent field is
/// 0) shifted by the exponent, the sign applied last.
constexpr int16_t decode_e2m1_doubled(uint32_t code) {
  const uint32_t field = (code >> 1) & 3;
  const uint32_t mantissa = code & 1;
  const uint32_t magnitude = field == 0 ? mantissa : (2 | mantissa) << (field - 1);
  const auto value = static_cast<int16_t>(magnitude);
  return static_cast<int16_t>((code & 8) != 0 ? -value : value);
}

/// S1P2 code and its level-3 micro-exponent to the multiplier's 5-bit input in quarters, -14..14.
constexpr int16_t decode_s1p2_shifted(uint32_t code, uint32_t level3_bit) {
  const auto value = static_cast<int16_t>((code & 7) << level3_bit);
  return static_cast<int16_t>((code & 8) != 0 ? -value : value);
}

}  // namespace nibblecore::hw
