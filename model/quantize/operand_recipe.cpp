// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/operand_recipe.hpp"

#include <algorithm>

#include "model/common/checked.hpp"
#include "model/formats/dequantize.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"

namespace nibblecore {
namespace {

RowQuantization row_quantization(const MatrixView& input, const OperandRecipe& recipe,
                                 const Nvfp4TensorScale& scale) {
  return {recipe.preset, scale, recipe.choices.shape, recipe.choices.random,
          element_index(input, recipe.choices.first_element)};
}

/// The tensor scale of the transformed operand; macro-block scaling never meets one that depends on
/// values.
Nvfp4TensorScale recipe_tensor_scale(const MatrixView& input, const OperandRecipe& recipe,
                                     int threads) {
  return tensor_scale(transformed_rows(input, recipe), input.rows, input.k, recipe.preset, threads);
}

/// Multipliers and factors of an operand, to be filled row by row.
void make_macro_scales(const MatrixView& input, const MacroBlockScaling& scaling,
                       PreparedOperand& prepared) {
  const int64_t count =
      checked_multiply(input.rows, ceil_divide(input.k, scaling.length), "macro-block scaling");
  prepared.macro.length = scaling.length;
  prepared.macro.factors.resize(static_cast<size_t>(count));
  prepared.multipliers.resize(static_cast<size_t>(count));
}

}  // namespace

void require_recipe(const OperandRecipe& recipe, int64_t k) {
  require_choices(recipe.preset, recipe.choices.shape, recipe.choices.random);
  if (recipe.hadamard) {
    require_hadamard(*recipe.hadamard, k);
  }
  if (recipe.macro) {
    require_macro_block(*recipe.macro, recipe.preset, recipe.choices.shape);
  }
}

PreparedOperand prepare_operand(const MatrixView& input, const OperandRecipe& recipe, int threads) {
  return prepare_operand(input, recipe, threads, nullptr);
}

PreparedOperand prepare_operand(const MatrixView& input, const OperandRecipe& recipe, int threads,
                                float* decoded) {
  require_recipe(recipe, input.k);
  PreparedOperand prepared;
  prepared.packed = make_packed_matrix(recipe.preset.format, input.rows, input.k);
  const RowQuantization quantization =
      row_quantization(input, recipe, recipe_tensor_scale(input, recipe, threads));
  RowSource source = transformed_rows(input, recipe);
  if (recipe.macro) {
    make_macro_scales(input, *recipe.macro, prepared);
    const int64_t macro_blocks = ceil_divide(input.k, recipe.macro->length);
    source = [&, transformed = source, macro_blocks,
              finder = MacroMultipliers(*recipe.macro, recipe.preset, quantization.tensor_scale)](
                 int64_t row, float* values) {
      transformed(row, values);
      float* multipliers = prepared.multipliers.data() + row * macro_blocks;
      finder.find(input.k, values, multipliers);
      float* factors = prepared.macro.factors.data() + row * macro_blocks;
      std::transform(multipliers, multipliers + macro_blocks, factors, macro_factor);
      multiply_macro_blocks(multipliers, recipe.macro->length, input.k, values);
    };
  }
  quantize_rows(source, quantization, threads, {prepared.packed, decoded});
  if (recipe.macro && decoded != nullptr) {
    for (int64_t row = 0; row < input.rows; ++row) {
      multiply_macro_blocks(prepared.macro.row_factors(row, input.k), prepared.macro.length,
                            input.k, decoded + row * input.k);
    }
  }
  return prepared;
}

PackedMatrix prepare_residual(const MatrixView& input, const PreparedOperand& prepared,
                              const OperandRecipe& recipe, int threads) {
  require_recipe(recipe, input.k);
  RowQuantization quantization =
      row_quantization(input, recipe, recipe_tensor_scale(input, recipe, threads));
  if (quantization.random) {
    quantization.random->stream = Stream::kResidualRounding;
  }
  return quantize_residual(scaled_rows(input, prepared, recipe), prepared.packed, quantization,
                           threads);
}

RowSource transformed_rows(const MatrixView& input, const OperandRecipe& recipe) {
  const ElementIndex elements = element_index(input, recipe.choices.first_element);
  std::optional<Hadamard> hadamard;
  if (recipe.hadamard) {
    hadamard.emplace(*recipe.hadamard);
  }
  return [input, elements, noise = recipe.noise, hadamard](int64_t row, float* values) {
    load_row(input, row, values);
    if (noise) {
      add_noise(*noise, elements, row, input.k, values);
    }
    if (hadamard) {
      hadamard->transform(input.k, values);
    }
  };
}

RowSource scaled_rows(const MatrixView& input, const PreparedOperand& prepared,
                      const OperandRecipe& recipe) {
  return [&prepared, k = input.k, transformed = transformed_rows(input, recipe)](int64_t row,
                                                                                 float* values) {
    transformed(row, values);
    if (prepared.macro.length != 0) {
      const int64_t macro_blocks = ceil_divide(k, prepared.macro.length);
      multiply_macro_blocks(prepared.multipliers.data() + row * macro_blocks, prepared.macro.length,
                            k, values);
    }
  };
}

void decode_row(const PackedMatrix& matrix, const MacroScales& macro, int64_t row, float* values) {
  dequantize_row(matrix, row, values);
  if (macro.length != 0) {
    multiply_macro_blocks(macro.row_factors(row, matrix.k), macro.length, matrix.k, values);
  }
}

}  // namespace nibblecore
