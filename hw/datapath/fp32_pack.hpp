// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

inline constexpr uint32_t kQuietNan = 0x7FC00000;
inline constexpr uint32_t kInfinityBits = 0x7F800000;
inline constexpr uint32_t kSignBit = 0x80000000;

/// An FP32 register taken apart: significand * 2^exponent; the hidden bit is set for normal
/// numbers. `is_special`: infinity where the significand is 0, else NaN.
struct Fp32Fields {
  uint32_t significand;
  int32_t exponent;
  bool negative;
  bool is_special;
};

constexpr Fp32Fields unpack_fp32(uint32_t bits) {
  const uint32_t field = (bits >> 23) & 0xFF;
  const uint32_t fraction = bits & 0x7FFFFF;
  const bool normal = field != 0 && field != 0xFF;
  return {normal ? fraction | 0x800000 : fraction,
          static_cast<int32_t>(field == 0 ? 1 : field) - 150, (bits & kSignBit) != 0,
          field == 0xFF};
}

/// The rounder: leading-zero count, normalising shift, guard and sticky, increment, overflow.
/// Nearest even; magnitude < 2^63, exponent in [-400, 400]; magnitude 0 gives +0.
uint32_t round_fp32(bool negative, uint64_t magnitude, int32_t exponent);

}  // namespace nibblecore::hw
