// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/datapath/taps.hpp"
#include "model/formats/rounding.hpp"

namespace nibblecore::hw {

/// The E2M1 element of a finite FP32 number under a power-of-two scale (E8M0 code 0..254), sign in
/// bit 3: |x| / scale rounded exactly, saturating at 6; zeros and underflow keep their sign.
///
/// The exponent difference shifts the significand to halves, 4 bits before the point. Comparators
/// tell the binade, which decides where the last kept bit lies (steps of 0.5, 1 and 2); the bits
/// below it are guard and sticky.
template <class Hooks = NoHooks>
uint8_t round_to_e2m1(uint32_t bits, uint8_t scale, Rounding rounding, Tap<Hooks> tap = {});

extern template uint8_t round_to_e2m1(uint32_t, uint8_t, Rounding, Tap<NoHooks>);
extern template uint8_t round_to_e2m1(uint32_t, uint8_t, Rounding, Tap<ProbeHooks>);

}  // namespace nibblecore::hw
