// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/packed_matrix.hpp"
#include "tests/comparison/random_operand.hpp"

namespace nibblecore::comparison {

/// C of a GEMM as FP32 bits [M,N]: none, special values, zeros of both signs, any bits, or numbers
/// at a random distance from what the first blocks of their row and column give.
std::vector<uint32_t> random_start(const PackedMatrix& a, const PackedMatrix& b, Dice& dice);

}  // namespace nibblecore::comparison
