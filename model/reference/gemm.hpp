// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/accumulation.hpp"
#include "model/formats/gemm_corrections.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/reference/dot.hpp"

namespace nibblecore {

/// The golden GEMM: D[M,N] = C + A[M,K] B[N,K]^T under `policy` with `corrections`, as FP32 bits,
/// row-major; each output is a reference_dot. `c` is [M,N] or null (then +0). Where the product of
/// both tensor scales, rounded to FP32, is not 1, the result is multiplied by it and rounded once
/// more. `truncation`, where given, receives [M,N] bytes of what truncation took (kAlignmentLoss,
/// kResultLoss). InputError where formats or K differ, the policy has no arithmetic for the format,
/// or the corrections do not go with the operands.
void reference_gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                    const uint32_t* c, uint32_t* d, int threads,
                    const GemmCorrections& corrections = {}, uint8_t* truncation = nullptr);

}  // namespace nibblecore
