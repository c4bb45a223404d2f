// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// A [M,K] times B [N,K] transposed under `fp32-rne`, FP32 bits [M,N], from the published
/// definitions in integers of any length; shares no arithmetic with the model. `c` is FP32 bits
/// [M,N].
std::vector<uint32_t> gemm_by_definition(const PackedMatrix& a, const PackedMatrix& b,
                                         const std::vector<uint32_t>& c);

}  // namespace nibblecore
