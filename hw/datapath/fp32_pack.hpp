// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/datapath/leading_zeros.hpp"
#include "hw/datapath/select.hpp"
#include "hw/datapath/taps.hpp"

namespace nibblecore::hw {

// Both ends of every FP32 circuit. What a loop over lanes calls does not branch, so that the loop
// becomes vector instructions.

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

[[gnu::always_inline]] constexpr uint32_t fp32_exponent_field(uint32_t bits) {
  return (bits >> 23) & 0xFF;
}

[[gnu::always_inline]] constexpr int32_t fp32_exponent(uint32_t bits) {
  const uint32_t field = fp32_exponent_field(bits);
  return static_cast<int32_t>(select(mask_if_zero(field), uint32_t{1}, field)) - 150;
}

constexpr Fp32Fields unpack_fp32(uint32_t bits) {
  const uint32_t field = fp32_exponent_field(bits);
  const uint32_t fraction = bits & 0x7FFFFF;
  const bool normal = field != 0 && field != 0xFF;
  return {normal ? fraction | 0x800000 : fraction, fp32_exponent(bits), (bits & kSignBit) != 0,
          field == 0xFF};
}

/// The rounder: leading-zero count, normalising shift, guard and sticky, increment, overflow.
/// Nearest even; `sign` is kSignBit or 0; exponent in [-400, 400]; magnitude 0 gives +0. `AnyTap`
/// has value(Site, bus&).
template <class AnyTap>
[[gnu::always_inline]] constexpr uint32_t round_fp32_lane(uint32_t sign, uint64_t magnitude,
                                                          int32_t exponent, const AnyTap& tap) {
  constexpr int32_t kLeastExponent = -149;  // weight of the last bit of a subnormal
  constexpr int32_t kLargestField = 254;
  constexpr int32_t kBelow = 6;  // bits of the window below a normal number's last, with sticky

  int32_t zeros = leading_zeros(magnitude);
  tap.value(Site::kLeadingZeros, zeros);
  const uint64_t normalised = magnitude << zeros;
  const auto upper = static_cast<uint32_t>(normalised >> 32);
  const uint32_t lost = static_cast<uint32_t>(normalised) | (upper & 3);
  uint32_t window = (upper >> 2) | std::min(lost, uint32_t{1});
  tap.value(Site::kWindow, window);
  // The exponent of a normal number's last bit, above that of all subnormals.
  int32_t last_exponent = exponent - zeros + 40 - kLeastExponent;
  tap.value(Site::kLastExponent, last_exponent);
  const Mask subnormal = mask_if_negative(last_exponent);
  // A subnormal keeps fewer bits. All shifts past the top bit look alike: nothing kept, guard 0.
  const int32_t shift = std::min(kBelow + select(subnormal, -last_exponent, 0), 31);
  uint32_t kept = window >> shift;
  tap.value(Site::kKept, kept);
  uint32_t guard = (window >> (shift - 1)) & 1;
  tap.value(Site::kGuard, guard);
  const uint32_t below_guard = window & ((uint32_t{1} << (shift - 1)) - 1);
  uint32_t sticky = std::min(below_guard, uint32_t{1});
  tap.value(Site::kSticky, sticky);
  uint32_t rounded = kept + (guard & (sticky | kept));
  tap.value(Site::kRounded, rounded);
  // The hidden bit, and a carry of the increment, add to the exponent field.
  int32_t field = std::min(select(subnormal, 0, last_exponent), kLargestField);
  tap.value(Site::kExponentField, field);
  const uint32_t packed = (static_cast<uint32_t>(field) << 23) + rounded;
  return (sign | std::min(packed, kInfinityBits)) & ~mask_if_zero(window);
}

/// The same with the sign as a condition, in circuits whose rounders have no named buses.
constexpr uint32_t round_fp32(bool negative, uint64_t magnitude, int32_t exponent) {
  return round_fp32_lane(negative ? kSignBit : 0, magnitude, exponent, Tap<NoHooks>{});
}

}  // namespace nibblecore::hw
