// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

/// FP32 a - b rounded once to nearest even, as IEEE 754 has it: subnormals are kept, overflow gives
/// infinity, an exact zero is +0 unless -0 meets +0; every NaN becomes 0x7FC00000.
///
/// Stages: swap by magnitude; shift the smaller right under two more bits and a sticky one; add or
/// subtract in 28 bits; count leading zeros; round; pack.
uint32_t fp32_subtract(uint32_t a, uint32_t b);

}  // namespace nibblecore::hw
