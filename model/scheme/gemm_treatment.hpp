// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "model/formats/macro_scales.hpp"
#include "model/formats/residual.hpp"
#include "model/quantize/fallback.hpp"
#include "model/quantize/operand_recipe.hpp"

namespace nibblecore {

/// Which axis of an operand its blocks lie along.
enum class BlockAxis {
  kContraction,  ///< K of the GEMM at hand, the only one that 4-bit hardware multiplies
  kOther,        ///< the other: values that were quantized for another GEMM and are used again, as
                 ///< simulations of training do; such an operand is multiplied as numbers
};

/// What one operand of a GEMM gets.
struct OperandTreatment {
  std::string name = "none";            ///< as the scheme calls it
  std::optional<OperandRecipe> recipe;  ///< nothing: it stays in its own precision
  BlockAxis axis = BlockAxis::kContraction;
  float pre_scale = 1.0F;  ///< values times this are quantized, results are divided by it

  /// Whether it comes as blocks along K.
  bool is_packed() const { return recipe.has_value() && axis == BlockAxis::kContraction; }
  /// Whether quantization is all that it gets, by a preset: a core's online quantizer can do it.
  bool is_plain() const {
    return is_packed() && !recipe->noise && !recipe->hadamard && !recipe->macro &&
           !recipe->choices.random && recipe->choices.shape == BlockShape::kRow &&
           pre_scale == 1.0F;
  }
};

/// The residual of operand A.
struct ResidualTreatment {
  ResidualPattern pattern = ResidualPattern::kNone;
  ResidualBuild build = ResidualBuild::kSerial;
  ResidualOrder order = ResidualOrder::kInterleaved;
  std::optional<float> alpha;  ///< it has accumulators of its own (outlier fallback)
  std::optional<FallbackSelection> selection;  ///< of the dense pattern
};

/// What a GEMM and its operands get.
struct GemmTreatment {
  OperandTreatment a;
  OperandTreatment b;
  ResidualTreatment residual;
  MacroEpilogue epilogue = MacroEpilogue::kFused;

  bool has_residual() const { return residual.pattern != ResidualPattern::kNone; }
  /// Whether any operand is quantized.
  bool is_quantized() const { return a.recipe.has_value() || b.recipe.has_value(); }
  /// Whether it is a product of two packed operands of one format: what 4-bit hardware multiplies.
  bool is_block_scaled() const {
    return a.is_packed() && b.is_packed() &&
           a.recipe->preset.format.name == b.recipe->preset.format.name &&
           a.recipe->preset.format.block == b.recipe->preset.format.block;
  }
};

}  // namespace nibblecore
