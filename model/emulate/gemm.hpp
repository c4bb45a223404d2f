// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/gemm_corrections.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// D[M,N] = A[M,K] B[N,K]^T under the policy `fp32-rne`: the accumulator starts at C (FP32 bits
/// [M,N], +0 where `c` is null) and becomes RNE_FP32(accumulator + exact block dot) for each scale
/// block in ascending K; at the end it is multiplied by alpha = RNE_FP32(a.tensor_scale *
/// b.tensor_scale), rounded once more, unless alpha is 1. `d` receives FP32 bits [M,N]; every NaN
/// is 0x7FC00000. `c` may be `d`. The bits do not depend on `threads` (0: one per processor).
///
/// `corrections` add a residual of A and macro scales, in the order that GemmCorrections states.
/// InputError where the formats or K differ, or the corrections do not go with the operands.
void emulate_gemm(const PackedMatrix& a, const PackedMatrix& b, const uint32_t* c, uint32_t* d,
                  int threads, const GemmCorrections& corrections = {});

}  // namespace nibblecore
