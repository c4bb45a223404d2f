// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/datapath/simd_target.hpp"
#include "hw/datapath/taps.hpp"

namespace nibblecore::hw {

/// The FP32 accumulator's adder, as a circuit on integers: accumulator + significand * 2^exponent,
/// rounded once to nearest even (stages: fp32_adder.hpp).
///
/// `accumulator` holds FP32 bits; |significand| < 2^24; exponent in [-300, 300]. Subnormals are
/// kept; overflow gives infinity; an infinite accumulator stays; a NaN becomes 0x7FC00000; an exact
/// zero is +0, a negative sum that rounds to zero is -0.
uint32_t fp32_accumulate(uint32_t accumulator, int32_t significand, int32_t exponent);

/// What an array of accumulators takes in: block sums and the product of their scales.
struct ScaledSums {
  size_t count;  ///< a multiple of kLanes
  const int32_t* sums;
  const int32_t* significands;
  const int32_t* exponents;
  const int32_t* nan;  ///< not 0: the result is NaN
};

/// The same circuit once a lane, behind the multiplier of sum and significand: accumulators[i] +=
/// sums[i] * significands[i] * 2^exponents[i].
template <class Hooks>
void fp32_accumulate_lanes(SimdTarget target, const ScaledSums& terms, uint32_t* accumulators,
                           const OutputTap<Hooks>& tap);

extern template void fp32_accumulate_lanes(SimdTarget, const ScaledSums&, uint32_t*,
                                           const OutputTap<NoHooks>&);
extern template void fp32_accumulate_lanes(SimdTarget, const ScaledSums&, uint32_t*,
                                           const OutputTap<ProbeHooks>&);

inline void fp32_accumulate_lanes(SimdTarget target, const ScaledSums& terms,
                                  uint32_t* accumulators) {
  fp32_accumulate_lanes(target, terms, accumulators, OutputTap<NoHooks>{});
}

}  // namespace nibblecore::hw
