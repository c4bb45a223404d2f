// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

/// The FP32 accumulator's adder, as a circuit on integers: accumulator + significand * 2^exponent,
/// rounded once to nearest even. Stages: take the fields apart; align (left shift of the term with
/// the greater exponent by at most 27, right shift of the other with a sticky bit); add or
/// subtract; count leading zeros; round by guard and sticky; pack.
///
/// `accumulator` holds FP32 bits; |significand| < 2^24; exponent in [-300, 300]. Subnormals are
/// kept; overflow gives infinity; an infinite accumulator stays; a NaN becomes 0x7FC00000; an exact
/// zero is +0, a negative sum that rounds to zero is -0.
uint32_t fp32_accumulate(uint32_t accumulator, int32_t significand, int32_t exponent);

}  // namespace nibblecore::hw
