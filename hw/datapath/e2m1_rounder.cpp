// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/e2m1_rounder.hpp"

#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/quantizer_widths.hpp"
#include "hw/datapath/sticky_shift.hpp"

namespace nibblecore::hw {
namespace {

constexpr uint32_t kLargestCode = 7;
// A normal significand has its top bit at 23: shifted by less than this it is 16 halves or more.
constexpr int32_t kLeastShift = 20;

/// Drops `dropped` more bits of an aligned value; what was guard becomes sticky.
StickyShift shift_further(const StickyShift& aligned, int32_t dropped) {
  StickyShift result = shift_right(aligned.kept, dropped);
  if (dropped == 0) {
    result.guard = aligned.guard;
    result.sticky = aligned.sticky;
  } else {
    result.sticky |= aligned.guard | aligned.sticky;
  }
  return result;
}

}  // namespace

template <class Hooks>
uint8_t round_to_e2m1(uint32_t bits, uint8_t scale, Rounding rounding, Tap<Hooks> tap) {
  const Fp32Fields fields = unpack_fp32(bits);
  const uint32_t sign = fields.negative ? 8 : 0;
  // significand * 2^exponent / 2^(scale - 127), counted in halves.
  int32_t distance = int32_t{scale} - 127 - 1 - fields.exponent;
  tap.value(Site::kQuantizerShift, distance);
  require_width(kElementShift, distance);
  if (distance < kLeastShift) {
    return static_cast<uint8_t>(sign | kLargestCode);
  }
  StickyShift halves = shift_right(fields.significand, distance);
  tap.value(Site::kQuantizerKept, halves.kept);
  tap.value(Site::kQuantizerGuard, halves.guard);
  tap.value(Site::kQuantizerSticky, halves.sticky);
  require_width(kHalves, halves.kept);
  const int32_t binade = (halves.kept >= 4 ? 1 : 0) + (halves.kept >= 8 ? 1 : 0);
  const StickyShift steps = shift_further(halves, binade);
  // Codes 0..3 count halves, 4 and 5 whole numbers from 2, 6 and 7 twos from 4; the carry of the
  // increment runs on into the next binade.
  const auto first_code = static_cast<uint32_t>(2 * binade);
  const uint32_t code = first_code + steps.kept + round_increment(steps, rounding);
  return static_cast<uint8_t>(sign | (code > kLargestCode ? kLargestCode : code));
}

template uint8_t round_to_e2m1(uint32_t, uint8_t, Rounding, Tap<NoHooks>);
template uint8_t round_to_e2m1(uint32_t, uint8_t, Rounding, Tap<ProbeHooks>);

}  // namespace nibblecore::hw
