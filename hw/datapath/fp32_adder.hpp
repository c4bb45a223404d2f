// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/select.hpp"

namespace nibblecore::hw {

/// A signed magnitude at the bus of the aligner: magnitude * 2^exponent; `sign` is kSignBit or 0.
struct Addend {
  uint32_t magnitude;
  int32_t exponent;
  uint32_t sign;
};

struct AlignedSum {
  uint64_t magnitude;
  int32_t exponent;
  uint32_t sign;
};

/// The aligner and the adder behind it. The addend with the greater exponent moves left by at most
/// 27; what remains of the distance moves the other one right, with a sticky bit. A bit lost then
/// lies at least two places below the guard bit of any result, so that one sticky bit stands for
/// all of them (docs/numerics.md).
template <class Hooks>
[[gnu::always_inline]] constexpr AlignedSum add_aligned(const Addend& x, const Addend& y,
                                                        const Tap<Hooks>& tap) {
  constexpr int32_t kMaxLeftShift = 27;
  constexpr int32_t kMaxRightShift = 31;  // past all 24 bits of a magnitude

  int32_t difference = x.exponent - y.exponent;
  tap.value(Site::kExponentDifference, difference);
  const Mask swap = mask_if_negative(difference);
  uint32_t high = select(swap, y.magnitude, x.magnitude);
  tap.value(Site::kAddendHigh, high);
  uint32_t low = select(swap, x.magnitude, y.magnitude);
  tap.value(Site::kAddendLow, low);
  const uint32_t high_sign = select(swap, y.sign, x.sign);
  const int32_t high_exponent = select(swap, y.exponent, x.exponent);
  const int32_t distance = select(swap, -difference, difference);

  const Mask near = mask_if_negative(distance - kMaxLeftShift);
  const int32_t left = select(near, distance, kMaxLeftShift);
  const int32_t right = std::min(select(near, 0, distance - kMaxLeftShift), kMaxRightShift);
  const uint32_t kept = low >> right;
  const uint32_t sticky = std::min((kept << right) ^ low, uint32_t{1});
  const Mask subtract = mask_if_negative(static_cast<int32_t>(x.sign ^ y.sign));
  auto aligned_low = static_cast<int32_t>(((kept | sticky) ^ subtract) - subtract);
  tap.value(Site::kAlignedLow, aligned_low);
  auto aligned_high = static_cast<int64_t>(uint64_t{high} << left);
  tap.value(Site::kAlignedHigh, aligned_high);

  int64_t sum = aligned_high + aligned_low;
  tap.value(Site::kAlignedSum, sum);
  const auto borrow = static_cast<uint64_t>(sum >> 63);
  return {(static_cast<uint64_t>(sum) ^ borrow) - borrow, high_exponent - left,
          high_sign ^ (static_cast<uint32_t>(borrow) & kSignBit)};
}

/// The FP32 accumulator's adder (contract: fp32_accumulate.hpp). Stages: take the fields apart;
/// align; add or subtract; count leading zeros; round by guard and sticky; pack. ORs the aligned
/// sum into `united_sums`.
template <class Hooks>
[[gnu::always_inline]] constexpr uint32_t add_term(uint32_t accumulator, int32_t significand,
                                                   int32_t exponent, uint64_t& united_sums,
                                                   const Tap<Hooks>& tap) {
  const uint32_t field = fp32_exponent_field(accumulator);
  const uint32_t fraction = accumulator & 0x7FFFFF;
  const uint32_t full = fraction | (0x800000 & ~mask_if_zero(field));
  const Mask zero = mask_if_zero(full);
  const Addend term{static_cast<uint32_t>(significand < 0 ? -significand : significand), exponent,
                    static_cast<uint32_t>(significand) & kSignBit};
  // A zero has no exponent of its own: it must not push the other addend out of the aligner.
  const Addend start{full, select(zero, exponent, fp32_exponent(accumulator)),
                     accumulator & kSignBit};
  const AlignedSum sum = add_aligned(start, term, tap);
  united_sums |= sum.magnitude;
  const uint32_t rounded = round_fp32_lane(sum.sign, sum.magnitude, sum.exponent, tap);
  const uint32_t finite = select(mask_if_zero(term.magnitude), accumulator & ~zero, rounded);
  const uint32_t special = select(mask_if_zero(fraction), accumulator, kQuietNan);
  return select(mask_if_negative(254 - static_cast<int32_t>(field)), special, finite);
}

}  // namespace nibblecore::hw
