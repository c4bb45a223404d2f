// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfloat>

#include "model/emulate/lane_vectors.hpp"

namespace nibblecore {

static_assert(FLT_EVAL_METHOD == 0, "every operation must round to its own type");

/// x + y in FP64 lanes, rounded to odd: cut off toward zero, with the last bit set where something
/// was. Every rounding of that to 51 bits or fewer is the rounding of the exact sum (multiply_add
/// has the argument). Infinities and NaNs come out as of an addition.
template <int Width>
[[gnu::always_inline]] inline void odd_sum(const typename LaneVectors<Width>::Double& x,
                                           const typename LaneVectors<Width>::Double& y,
                                           typename LaneVectors<Width>::Double& result) {
  using Double = typename LaneVectors<Width>::Double;
  using Long = typename LaneVectors<Width>::Long;
  const Double sum = x + y;
  const Double added = sum - x;
  const Double error = (x - (sum - added)) + (y - added);
  const Long sign = reinterpret_cast<Long>(sum) & INT64_MIN;
  const Double outward = reinterpret_cast<Double>(reinterpret_cast<Long>(error) ^ sign);
  const Long none{};
  const Long away = outward < 0.0 ? none - 1 : none;
  const Long lost = outward > 0.0 ? none - 1 : away;
  result = reinterpret_cast<Double>((reinterpret_cast<Long>(sum) + away) | (lost & 1));
}

}  // namespace nibblecore
