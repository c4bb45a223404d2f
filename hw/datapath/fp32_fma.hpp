// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/datapath/fp32_pack.hpp"

namespace nibblecore::hw {

// A multiplier and an adder with one rounding behind both. Either addend is normalised before the
// aligner, so that the one of the greater exponent stands still and 51 bits hold all that a sum can
// be rounded to: addends whose exponents are at most three apart lose no bit, and of others no more
// than one leading bit cancels.

/// Buses of the circuit, in the order of the sites of each place that it stands at.
enum class FmaBus {
  kProduct,
  kExponentDifference,
  kHigh,
  kLow,
  kAlignedLow,
  kSum,
  kLeadingZeros,  // the rounder's, in the order of the accumulator's sites
  kWindow,
  kLastExponent,
  kKept,
  kGuard,
  kSticky,
  kRounded,
  kExponentField,
  kResult,
};

/// The hooks of one such circuit, whose sites begin at `first`.
template <class Hooks>
class FmaTap {
 public:
  constexpr FmaTap(const Tap<Hooks>& tap, Site first) : tap_(tap), first_(first) {}

  template <class Value>
  [[gnu::always_inline]] constexpr void value(FmaBus bus, Value& value) const {
    tap_.value(static_cast<Site>(static_cast<int>(first_) + static_cast<int>(bus)), value);
  }
  /// As the rounder names its buses.
  template <class Value>
  [[gnu::always_inline]] constexpr void value(Site site, Value& value) const {
    const int bus = static_cast<int>(site) - static_cast<int>(Site::kLeadingZeros);
    this->value(static_cast<FmaBus>(static_cast<int>(FmaBus::kLeadingZeros) + bus), value);
  }

 private:
  Tap<Hooks> tap_;
  Site first_;
};

/// magnitude * 2^exponent; `sign` is kSignBit or 0. A product of significands has up to 48 bits.
struct WideAddend {
  uint64_t magnitude;
  int32_t exponent;
  uint32_t sign;
};

inline constexpr int kWideAddendBits = 48;

/// The same with the leading one at the top of the 48 bits; a zero stays.
[[gnu::always_inline]] constexpr WideAddend normalised(const WideAddend& addend) {
  const int32_t shift = leading_zeros(addend.magnitude) - (64 - kWideAddendBits);
  return addend.magnitude == 0
             ? addend
             : WideAddend{addend.magnitude << shift, addend.exponent - shift, addend.sign};
}

/// x + y, rounded once to nearest even. An exact zero is +0, unless both are -0. ORs the sum's
/// magnitude into `united_sums`.
template <class Hooks>
[[gnu::always_inline]] constexpr uint32_t add_wide(const WideAddend& x, const WideAddend& y,
                                                   uint64_t& united_sums,
                                                   const FmaTap<Hooks>& tap) {
  constexpr int32_t kExtraBits = 3;
  WideAddend high = normalised(x);
  WideAddend low = normalised(y);
  // A zero has no exponent of its own: it must not push the other addend out of the aligner.
  high.exponent = high.magnitude == 0 ? low.exponent : high.exponent;
  low.exponent = low.magnitude == 0 ? high.exponent : low.exponent;
  int32_t difference = high.exponent - low.exponent;
  tap.value(FmaBus::kExponentDifference, difference);
  if (difference < 0) {
    const WideAddend other = high;
    high = low;
    low = other;
  }
  tap.value(FmaBus::kHigh, high.magnitude);
  tap.value(FmaBus::kLow, low.magnitude);

  const int32_t right = std::min(difference < 0 ? -difference : difference, 63);
  const uint64_t extended = low.magnitude << kExtraBits;
  const uint64_t kept = extended >> right;
  const uint64_t sticky = (kept << right) != extended ? 1 : 0;
  const auto magnitude = static_cast<int64_t>(kept | sticky);
  int64_t aligned_low = high.sign == low.sign ? magnitude : -magnitude;
  tap.value(FmaBus::kAlignedLow, aligned_low);
  int64_t sum = static_cast<int64_t>(high.magnitude << kExtraBits) + aligned_low;
  tap.value(FmaBus::kSum, sum);
  const auto sum_magnitude = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  united_sums |= sum_magnitude;
  const uint32_t rounded = round_fp32_lane(high.sign ^ (sum < 0 ? kSignBit : 0), sum_magnitude,
                                           high.exponent - kExtraBits, tap);
  return sum == 0 ? rounded | (high.sign & low.sign) : rounded;
}

/// a * b + c rounded once to nearest even, as IEEE 754's fusedMultiplyAdd has it: subnormals are
/// kept, overflow gives infinity; every NaN, infinity times zero, and infinities of opposite signs
/// give 0x7FC00000.
template <class Hooks>
uint32_t fp32_fma(uint32_t a, uint32_t b, uint32_t c, const FmaTap<Hooks>& tap);

extern template uint32_t fp32_fma(uint32_t, uint32_t, uint32_t, const FmaTap<NoHooks>&);
extern template uint32_t fp32_fma(uint32_t, uint32_t, uint32_t, const FmaTap<ProbeHooks>&);

/// The same without hooks.
inline uint32_t fp32_fma(uint32_t a, uint32_t b, uint32_t c) {
  return fp32_fma(a, b, c, FmaTap<NoHooks>({}, Site::kFmaProduct));
}

}  // namespace nibblecore::hw
