// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/packed_matrix.hpp"
#include "model/machine/gemm_spec.hpp"
#include "tb/bench/core_gemm.hpp"

namespace nibblecore::tb {

/// What the golden reference makes of a GEMM as the core runs it, [m, n] FP32 bits. `a` and `b`:
/// its operands as the golden quantizers pack them; `residual`: that of A, where `spec` has one.
std::vector<uint32_t> golden_result(const GemmSpec& spec, const CoreGemm& gemm,
                                    const PackedMatrix& a, const PackedMatrix& b,
                                    const PackedMatrix& residual);

}  // namespace nibblecore::tb
