// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

/// FP32 magnitude times a positive normal BF16 number, as FP32 bits: 24 x 8 bits, rounded once to
/// nearest even like an IEEE single-precision product. `magnitude` is finite, its sign 0.
uint32_t multiply_by_bf16(uint32_t magnitude, uint16_t factor);

/// The BF16 number nearest to an FP32 number that is not NaN, ties to even: the upper half plus an
/// increment from guard and sticky, whose carry may run into infinity.
uint16_t round_to_bf16(uint32_t bits);

}  // namespace nibblecore::hw
