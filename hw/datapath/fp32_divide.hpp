// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

/// FP32 a / b rounded once to nearest even, as IEEE 754 has it: subnormals are kept, a number over
/// zero is infinity; every NaN, also of 0 / 0 and of two infinities, becomes 0x7FC00000.
///
/// Stages: normalise both significands; restoring division, one quotient bit a row: 26 bits hold
/// the 24 of the result and its guard even where the first is 0; what remains is the sticky bit;
/// round; pack.
uint32_t fp32_divide(uint32_t a, uint32_t b);

}  // namespace nibblecore::hw
