// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/scheme/gemm_treatment.hpp"
#include "model/trace/trace.hpp"
#include "tb/replay/replay_options.hpp"

namespace nibblecore::tb {

/// FP32 bits [m, n] of a product under a treatment whose random streams are set: by the emulator
/// where it is a 4-bit GEMM, as numbers otherwise (unquantized operands included), then as the
/// store path writes them.
std::vector<uint32_t> numeric_product(const ReplayOptions& options, const Operands& operands,
                                      const GemmTreatment& treatment);

}  // namespace nibblecore::tb
