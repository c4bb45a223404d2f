// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/accumulation.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// The value of element `i` of a row, scales included, the tensor scale not: exact in FP64. NaN
/// under a NaN scale.
double element_value(const PackedMatrix& matrix, int64_t row, int64_t i);

/// D[M,N] as FP32 bits, from the words of each policy: the elements are decoded to values, their
/// products added exactly to the accumulator, and the sum rounded wherever the policy says.
/// `c` is [M,N].
std::vector<uint32_t> gemm_from_values(const PackedMatrix& a, const PackedMatrix& b,
                                       Accumulation policy, const std::vector<uint32_t>& c);

}  // namespace nibblecore
