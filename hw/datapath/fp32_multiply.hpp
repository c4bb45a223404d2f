// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

/// The store path's FP32 multiplier, as a circuit on integers: 24 x 24 bits, rounded once to
/// nearest even. NaN and infinity times zero give `nan`.
uint32_t fp32_multiply(uint32_t a, uint32_t b, uint32_t nan = 0x7FC00000);

}  // namespace nibblecore::hw
