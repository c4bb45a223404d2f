// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "model/formats/accumulation.hpp"
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
///
/// The epilogue and the alpha of the residual are IEEE 754 operations, so that (-0) + (-0) is -0,
/// opposite infinities give NaN and so does an alpha of zero times infinity. Without any block
/// (K = 0) C is passed on as it is.
struct GemmCorrections {
  const ResidualOperand* residual = nullptr;  ///< of A
  /// Where set, the residual has accumulators of its own, which start at +0 and take in its blocks
  /// in K order (with macro scales through tile sums of its own, whatever the granule), and the
  /// result is RNE(accumulator + alpha * residual accumulator), before any tensor scale (outlier
  /// fallback, arXiv 2605.20402).
  std::optional<float> residual_alpha;
  const MacroScales* a_macro = nullptr;  ///< null: factors of 1; the residual has them, too
  const MacroScales* b_macro = nullptr;
  MacroEpilogue epilogue = MacroEpilogue::kFused;

  /// Elements of K in a macro block; 0 where neither operand has macro scales.
  int64_t macro_length() const {
    const MacroScales* macro = a_macro != nullptr ? a_macro : b_macro;
    return macro == nullptr ? 0 : macro->length;
  }
};

/// InputError naming the field where `corrections` do not go with the operands: a residual or macro
/// scales that do not fit their operand, macro blocks of two lengths, macro blocks that are neither
/// a multiple of the policy's node nor the whole K (one addition must not span two), an alpha that
/// is not finite or without a residual, or a residual under a policy that truncates.
void require_corrections_of(const GemmCorrections& corrections, const PackedMatrix& a,
                            const PackedMatrix& b, Accumulation policy);

}  // namespace nibblecore
