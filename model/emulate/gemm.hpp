// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/formats/accumulation.hpp"
#include "model/formats/gemm_corrections.hpp"
#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// What does not change the result of an emulated GEMM.
struct EmulatorOptions {
  EmulatorTarget target = best_emulator_target();  ///< must be available
  /// [M,N] bytes that receive what truncation took from each output (kAlignmentLoss, kResultLoss),
  /// or null.
  uint8_t* truncation = nullptr;
};

/// D[M,N] = A[M,K] B[N,K]^T under `policy`: the accumulator starts at C (FP32 bits [M,N], +0 where
/// `c` is null) and takes in the blocks in ascending K as the policy says; at the end it is
/// multiplied by alpha = RNE_FP32(a.tensor_scale * b.tensor_scale), rounded once more, unless alpha
/// is 1. `d` receives FP32 bits [M,N]; every NaN is nan_of(policy). `c` may be `d`. The bits do not
/// depend on `threads` (0: one per processor) nor on the target.
///
/// `corrections` add a residual of A and macro scales, in the order that GemmCorrections states.
/// InputError where the formats or K differ, the policy has no arithmetic for the format, or the
/// corrections do not go with the operands.
void emulate_gemm(const PackedMatrix& a, const PackedMatrix& b, Accumulation policy,
                  const uint32_t* c, uint32_t* d, int threads,
                  const GemmCorrections& corrections = {}, const EmulatorOptions& options = {});

}  // namespace nibblecore
