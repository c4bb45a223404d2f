// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore::hw {

/// One GEMM for the core: D[M,N] = (C + A[M,K] B[N,K]^T) * alpha, FP32 bits. The operands lie
/// packed in the operand buffers; all pointers outlive the run.
struct GemmJob {
  const PackedMatrix* a = nullptr;
  const PackedMatrix* b = nullptr;
  const uint32_t* c = nullptr;  ///< [M,N], or null: accumulators start at +0
  uint32_t* d = nullptr;        ///< [M,N]

  int64_t m() const { return a->rows; }
  int64_t n() const { return b->rows; }
  int64_t k() const { return a->k; }
  const BlockFormat& format() const { return a->format; }
};

}  // namespace nibblecore::hw
