// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/accumulation.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/residual_operand.hpp"
#include "model/reference/exact_operand.hpp"

namespace nibblecore {

/// The golden dot product: FP32 bits of `c` plus row a times row b under `policy`. A NaN scale or a
/// NaN c gives 0x7FC00000; an infinite accumulator stays as it is.
///
/// With a row of A's residual, each `granule` of K is a run of dense blocks, then one of residual
/// blocks; the policy's roundings fall within each run as they do in a row of its own, but `exact`
/// rounds once in all. `granule` is a ResidualOperand's.
uint32_t reference_dot(const ExactRow& a, const ExactRow& b, const BlockFormat& format, uint32_t c,
                       Accumulation policy, const ExactRow* residual = nullptr,
                       int64_t granule = 0);

/// The golden GEMM: D[M,N] = C + A[M,K] B[N,K]^T under `policy`, as FP32 bits, row-major. `c` is
/// [M,N] or null (then +0). Where the product of both tensor scales, rounded to FP32, is not 1, the
/// result is multiplied by it and rounded once more. `residual` of A may be null. InputError where
/// formats or K differ, or the residual does not go with A.
void reference_gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                    const uint32_t* c, uint32_t* d, int threads,
                    const ResidualOperand* residual = nullptr);

}  // namespace nibblecore
