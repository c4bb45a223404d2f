// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "model/formats/macro_scales.hpp"
#include "model/formats/residual_operand.hpp"

namespace nibblecore {

/// What a GEMM does beyond the product of two packed operands.
///
/// Order of additions with macro scales: blocks come in the order that the residual's granules
/// give. Each adds to a tile sum, which starts at +0. Where the next block lies in another macro
/// block of K, and after the last block, the epilogue takes the tile sum into the accumulator and
/// the tile sum becomes +0 again. So interleaved residual blocks share the epilogue of their macro
/// block, appended ones have epilogues of their own.
struct GemmCorrections {
  const ResidualOperand* residual = nullptr;  ///< of A
  /// Where set, the residual has accumulators of its own, which start at +0 and take in its blocks
  /// in K order, and the result is RNE(accumulator + alpha * residual accumulator), before any
  /// tensor scale (outlier fallback, arXiv 2605.20402).
  std::optional<float> residual_alpha;
  const MacroScales* a_macro = nullptr;  ///< null: factors of 1
  const MacroScales* b_macro = nullptr;
  MacroEpilogue epilogue = MacroEpilogue::kFused;
};

}  // namespace nibblecore
