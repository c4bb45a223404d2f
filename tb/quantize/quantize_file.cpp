// SPDX-License-Identifier: Apache-2.0
#include "tb/quantize/quantize_file.hpp"

#include <utility>
#include <vector>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/formats/dequantize.hpp"
#include "model/layout/laid_out_matrix.hpp"
#include "model/quantize/fallback.hpp"
#include "model/quantize/operand_recipe.hpp"
#include "model/quantize/select_residual.hpp"
#include "model/trace/safetensors_reader.hpp"
#include "model/trace/safetensors_writer.hpp"
#include "tb/decompose/float_tensor.hpp"
#include "tb/quantize/output_tensors.hpp"
#include "tb/version.hpp"

namespace nibblecore::tb {
namespace {

/// The shape of a layout's tensor in the file: the rows' axis becomes the axes of `input` but the
/// last, unless the layout spreads the rows of the whole tensor over tiles.
std::vector<int64_t> shape_of(const Tensor& input, const LayoutTensor& tensor) {
  if (tensor.rows != RowAxis::kFirst) {
    return tensor.shape;
  }
  std::vector<int64_t> shape = input.shape;
  if (!shape.empty()) {
    shape.pop_back();
  }
  shape.insert(shape.end(), tensor.shape.begin() + 1, tensor.shape.end());
  return shape;
}

OperandRecipe recipe_of(const QuantizeFileOptions& options, uint32_t ordinal) {
  OperandRecipe recipe;
  recipe.preset = options.preset;
  recipe.choices.shape = options.corrections.weight_shape;
  if (is_stochastic(options.preset)) {
    recipe.choices.random = RandomStream{options.seed, Stream::kStochasticRounding, ordinal};
  }
  if (options.corrections.noise > 0) {
    recipe.noise =
        Noise{options.corrections.noise, RandomStream{options.seed, Stream::kNoise, ordinal}};
  }
  recipe.hadamard = options.corrections.hadamard;
  if (recipe.hadamard) {
    recipe.hadamard->random = RandomStream{options.seed, Stream::kHadamardSigns, 0};
  }
  recipe.macro = options.corrections.macro_of(options.role);
  return recipe;
}

/// Quantizes one tensor and adds what is written of it.
class TensorQuantizer {
 public:
  TensorQuantizer(const QuantizeFileOptions& options, const Tensor& tensor, const MatrixView& view,
                  const OperandRecipe& recipe, std::string place, OutputTensors& output)
      : options_(options),
        tensor_(tensor),
        view_(view),
        recipe_(recipe),
        place_(std::move(place)),
        output_(output) {}

  void run() {
    const bool decodes = options_.dequantize == Dequantize::kYes;
    std::vector<float> decoded(decodes ? static_cast<size_t>(view_.rows * view_.k) : 0);
    PreparedOperand prepared =
        prepare_operand(view_, recipe_, options_.threads, decodes ? decoded.data() : nullptr);
    PackedMatrix residual;
    if (options_.residual != ResidualPattern::kNone) {
      residual = select_residual(prepare_residual(view_, prepared, recipe_, options_.threads),
                                 {options_.residual, options_.corrections.fallback_tiles},
                                 transformed_rows(view_, recipe_), options_.threads);
      if (decodes) {
        add_residual(residual, prepared.macro, decoded);
      }
    }
    const float tensor_scale = prepared.packed.tensor_scale;
    add_matrix(tensor_.name, std::move(prepared.packed));
    if (options_.preset.format.name == kNvfp4.name || tensor_scale != 1.0F) {
      output_.add(tensor_.name + ".tensor_scale", {1}, std::vector<float>{tensor_scale});
    }
    if (prepared.macro.length != 0) {
      output_.add(tensor_.name + ".macro_factors",
                  with_last_axis(tensor_.shape, ceil_divide(view_.k, prepared.macro.length)),
                  std::move(prepared.macro.factors));
    }
    if (options_.residual != ResidualPattern::kNone) {
      add_matrix(tensor_.name + ".residual", std::move(residual));
    }
    if (decodes) {
      output_.add(tensor_.name + ".dequantized", tensor_.shape, std::move(decoded));
    }
  }

 private:
  void add_residual(const PackedMatrix& residual, const MacroScales& macro,
                    std::vector<float>& decoded) const {
    const float alpha = options_.corrections.fallback_alpha.value_or(1.0F);
    std::vector<float> row_values(static_cast<size_t>(residual.k));
    for (int64_t row = 0; row < residual.rows; ++row) {
      decode_row(residual, macro, row, row_values.data());
      for (int64_t i = 0; i < residual.k; ++i) {
        float& value = decoded[static_cast<size_t>(row * residual.k + i)];
        value = fallback_value(value, row_values[static_cast<size_t>(i)], alpha);
      }
    }
  }

  void add_matrix(const std::string& name, PackedMatrix matrix) {
    LaidOutMatrix laid_out = lay_out(std::move(matrix), *options_.layout, place_);
    for (LayoutTensor& part : laid_out.tensors) {
      output_.add(name + "." + std::string(part.name), shape_of(tensor_, part),
                  std::move(part.bytes));
    }
  }

  const QuantizeFileOptions& options_;
  const Tensor& tensor_;
  const MatrixView& view_;
  const OperandRecipe& recipe_;
  std::string place_;
  OutputTensors& output_;
};

}  // namespace

void quantize_file(const QuantizeFileOptions& options) {
  const SafetensorsFile file(options.input);
  OutputTensors output;
  uint32_t ordinal = 0;
  for (const Tensor& tensor : file.tensors()) {
    const std::string place = tensor_place(file, tensor);
    const std::optional<ValueType> type = float_type(tensor, place);
    const OperandRecipe recipe = recipe_of(options, ordinal++);
    if (!type) {
      continue;
    }
    const MatrixView view = last_axis_rows(tensor, *type, place);
    try {
      TensorQuantizer(options, tensor, view, recipe, place, output).run();
    } catch (const InputError& error) {
      const std::string reason = error.what();
      throw reason.rfind(place, 0) == 0 ? error : InputError(place, reason);
    }
  }
  write_safetensors(options.output, output.tensors(),
                    {{"format", std::string(options.preset.format.name)},
                     {"preset", options.preset.name},
                     {"layout", std::string(options.layout->name)},
                     {"nibblecore", kVersion}});
}

}  // namespace nibblecore::tb
