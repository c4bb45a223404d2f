// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore {

/// FP32 bits of a * b + c of FP32 numbers, formed exactly and rounded once to nearest even: the
/// fusedMultiplyAdd of IEEE 754. Unlike a sum of block products, two zeros of one sign keep it.
/// NaN, infinity times zero and opposite infinities give 0x7FC00000.
uint32_t multiply_add_fp32(uint32_t a, uint32_t b, uint32_t c);

}  // namespace nibblecore
