// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "model/formats/macro_scales.hpp"
#include "model/reference/exact_operand.hpp"

namespace nibblecore {

/// What GemmCorrections mean for one output: one row of A and one of B.
struct DotCorrections {
  const ExactRow* residual = nullptr;  ///< of A's row
  int64_t granule = 0;                 ///< the ResidualOperand's
  std::optional<float> residual_alpha;
  int64_t macro_length = 0;          ///< elements of a macro block, 0 without macro scales
  const float* a_factors = nullptr;  ///< one a macro block; null: 1
  const float* b_factors = nullptr;
  MacroEpilogue epilogue = MacroEpilogue::kFused;
};

}  // namespace nibblecore
