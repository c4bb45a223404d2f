// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/formats/macro_scales.hpp"
#include "model/formats/matrix_view.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/preset.hpp"
#include "model/quantize/hadamard.hpp"
#include "model/quantize/macro_block.hpp"
#include "model/quantize/noise.hpp"
#include "model/quantize/quantize_choices.hpp"
#include "model/quantize/quantize_rows.hpp"

namespace nibblecore {

/// What an operand of a GEMM gets, in this order: noise, Hadamard transform, macro-block scaling,
/// quantization.
struct OperandRecipe {
  Preset preset;
  QuantizeChoices choices;
  std::optional<Noise> noise;
  std::optional<HadamardTransform> hadamard;
  std::optional<MacroBlockScaling> macro;
};

/// An operand ready for a GEMM.
struct PreparedOperand {
  PackedMatrix packed;
  MacroScales macro;               ///< length 0: none
  std::vector<float> multipliers;  ///< c of each macro block, as macro.factors; empty: none
};

/// InputError where the recipe does not go with operands of that `k` (require_hadamard,
/// require_macro_block, require_choices).
void require_recipe(const OperandRecipe& recipe, int64_t k);

/// Prepares `input` [rows, k] on up to `threads` threads (0: one per processor); the result does
/// not depend on their number. NVFP4 takes its tensor scale from the transformed operand.
/// InputError as require_recipe, or where the size overflows.
PreparedOperand prepare_operand(const MatrixView& input, const OperandRecipe& recipe, int threads);

/// The same, and writes `decoded` [rows, k]: FP32 values as the preset's own library decodes them,
/// times the macro factor.
PreparedOperand prepare_operand(const MatrixView& input, const OperandRecipe& recipe, int threads,
                                float* decoded);

/// The quantized residual of a prepared operand, which is prepare_operand(input, recipe): taken of
/// the transformed and scaled values, so that the operand's macro scales and tensor scale serve it
/// (quantize_residual). Stochastic rounding draws from the stream kResidualRounding.
PackedMatrix prepare_residual(const MatrixView& input, const PreparedOperand& prepared,
                              const OperandRecipe& recipe, int threads);

/// The rows that quantization should reproduce: with noise and transformed, not scaled. Holds what
/// it needs of the recipe; `input`'s data must stay.
RowSource transformed_rows(const MatrixView& input, const OperandRecipe& recipe);

/// The rows that were quantized: transformed and scaled. `prepared` must stay.
RowSource scaled_rows(const MatrixView& input, const PreparedOperand& prepared,
                      const OperandRecipe& recipe);

/// Writes row `row` as FP32, `matrix.k` values: dequantize_row, then one FP32 multiplication by the
/// macro block's factor. Serves an operand, and its residual with the operand's macro scales.
void decode_row(const PackedMatrix& matrix, const MacroScales& macro, int64_t row, float* values);

}  // namespace nibblecore
