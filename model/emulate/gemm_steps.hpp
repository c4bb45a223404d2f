// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/formats/gemm_corrections.hpp"

namespace nibblecore {

/// FP32 numbers that an output has while it is computed; of those that its GEMM does not need none
/// are held.
enum class TilePlane {
  kResult,
  kMacroSum,          ///< of the macro block that is being added, from +0 on
  kResidual,          ///< accumulators of the residual's own, from +0 on
  kResidualMacroSum,  ///< the same of those
};
inline constexpr size_t kTilePlanes = 4;

/// One stretch of the order in which a GEMM adds.
struct GemmStep {
  enum class Kind {
    kAddA,         ///< blocks [first, end) of A to the plane `to`
    kAddResidual,  ///< the same of A's residual
    kTakeIn,       ///< plane `from`, times the factors of macro block `first`, into `to`; then +0
    kAddPlanes,    ///< plane kResidual times its alpha into kResult
  };
  Kind kind;
  TilePlane from;
  TilePlane to;
  int64_t first;
  int64_t end;
};

/// Every step of a GEMM over `blocks` blocks of `block_length` elements, in order. No step adds
/// more than `longest` blocks, a multiple of 64 elements.
std::vector<GemmStep> gemm_steps(const GemmCorrections& corrections, int64_t blocks,
                                 int block_length, int64_t longest);

}  // namespace nibblecore
