// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_subtract.hpp"

#include <utility>

#include "hw/datapath/fp32_pack.hpp"
#include "hw/datapath/magnitude_tree.hpp"
#include "hw/datapath/quantizer_widths.hpp"
#include "hw/datapath/sticky_shift.hpp"

namespace nibblecore::hw {
namespace {

// Guard, round and sticky: enough, since a subtraction that cancels more than one bit comes from
// exponents at most one apart and is exact.
constexpr int32_t kExtraBits = 3;

/// a + b where a has the greater magnitude, at least one of them not finite.
uint32_t add_special(uint32_t a, uint32_t b) {
  const bool nan = (a & ~kSignBit) > kInfinityBits;
  const bool opposite_infinities = is_non_finite(b) && a != b;
  return nan || opposite_infinities ? kQuietNan : a;
}

uint32_t add_finite(uint32_t a, uint32_t b) {
  const Fp32Fields high = unpack_fp32(a);
  const Fp32Fields low = unpack_fp32(b);
  const uint32_t high_value = high.significand << kExtraBits;
  const StickyShift low_shifted =
      shift_right(low.significand << kExtraBits, high.exponent - low.exponent);
  const uint32_t low_value = low_shifted.kept | low_shifted.guard | low_shifted.sticky;
  const bool subtracts = high.negative != low.negative;
  const uint32_t sum = subtracts ? high_value - low_value : high_value + low_value;
  require_width(kDifference, sum);
  if (sum == 0) {
    return high.negative && low.negative ? kSignBit : 0;
  }
  return (a & kSignBit) | round_fp32(false, sum, high.exponent - kExtraBits);
}

}  // namespace

uint32_t fp32_subtract(uint32_t a, uint32_t b) {
  uint32_t high = a;
  uint32_t low = b ^ kSignBit;
  if ((high & ~kSignBit) < (low & ~kSignBit)) {
    std::swap(high, low);
  }
  return is_non_finite(high) ? add_special(high, low) : add_finite(high, low);
}

}  // namespace nibblecore::hw
