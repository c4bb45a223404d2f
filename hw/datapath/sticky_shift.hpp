// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/formats/rounding.hpp"

namespace nibblecore::hw {

/// What a right shift keeps, the first bit below it, and whether any lower bit was set.
struct StickyShift {
  uint32_t kept;
  uint32_t guard;
  uint32_t sticky;
};

/// `value` shifted right by `distance`, not at all where that is 0 or less; distances past the top
/// bit all look alike: nothing kept, guard 0, sticky set for a non-zero value.
constexpr StickyShift shift_right(uint32_t value, int32_t distance) {
  if (distance <= 0) {
    return {value, 0, 0};
  }
  const int32_t right = std::min(distance, 34);
  const uint64_t wide = value;
  const uint64_t below_guard = (uint64_t{1} << (right - 1)) - 1;
  return {static_cast<uint32_t>(wide >> right), static_cast<uint32_t>((wide >> (right - 1)) & 1),
          (wide & below_guard) != 0 ? 1U : 0U};
}

/// The increment of the kept part: 0 or 1.
constexpr uint32_t round_increment(const StickyShift& shifted, Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearestEven:
      return shifted.guard & (shifted.sticky | (shifted.kept & 1));
    case Rounding::kNearestAway:
      return shifted.guard;
    case Rounding::kNearestZero:
      return shifted.guard & shifted.sticky;
    case Rounding::kTowardZero:
    case Rounding::kStochastic:  // no circuit: quantizer_job refuses it
      return 0;
  }
  return 0;
}

}  // namespace nibblecore::hw
