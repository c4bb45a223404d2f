// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/accumulation.hpp"
#include "model/formats/gemm_corrections.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// D[M,N] as FP32 bits, from the words of GemmCorrections: every element is decoded to a value, the
/// products between two roundings are added as fixed-point numbers, and epilogues and alpha are the
/// host's std::fma. Tensor scales are 1. `c` is [M,N].
std::vector<uint32_t> corrected_gemm_by_definition(const PackedMatrix& a, const PackedMatrix& b,
                                                   Accumulation policy,
                                                   const std::vector<uint32_t>& c,
                                                   const GemmCorrections& corrections);

}  // namespace nibblecore
