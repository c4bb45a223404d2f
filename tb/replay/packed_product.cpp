// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/packed_product.hpp"

#include <algorithm>

#include "model/common/checked.hpp"
#include "model/quantize/largest_half.hpp"
#include "model/quantize/select_residual.hpp"

namespace nibblecore::tb {
namespace {

CoreOperand core_operand(OperandPath path, const MatrixView& view, const PreparedOperand& operand,
                         const OperandTreatment& treatment, ResidualPattern residual, int threads) {
  if (path != OperandPath::kPacked) {
    return online_operand(view, treatment.recipe->preset, residual, threads);
  }
  CoreOperand packed = packed_operand(operand.packed);
  packed.macro = operand.macro.length == 0 ? nullptr : &operand.macro;
  return packed;
}

OperandStatistics statistics_of(const MatrixView& view, const PreparedOperand& operand,
                                const OperandTreatment& treatment, int threads) {
  const MacroScales* macro = operand.macro.length == 0 ? nullptr : &operand.macro;
  return operand_statistics({transformed_rows(view, *treatment.recipe),
                             scaled_rows(view, operand, *treatment.recipe), operand.packed, macro},
                            threads);
}

/// Takes the factor before quantization back: one FP32 multiplication of the tensor scale.
void undo_pre_scale(const OperandTreatment& treatment, PackedMatrix& packed) {
  if (treatment.pre_scale != 1.0F) {
    packed.tensor_scale *= 1.0F / treatment.pre_scale;
  }
}

}  // namespace

PackedProduct::PackedProduct(const ReplayOptions& options, const Operands& operands,
                             const GemmSpec& spec, const GemmTreatment& treatment)
    : a_input_(operands.a, treatment.a.pre_scale),
      b_input_(operands.b, treatment.b.pre_scale),
      a_(prepare_operand(a_input_.view(), *treatment.a.recipe, options.threads)),
      b_(prepare_operand(b_input_.view(), *treatment.b.recipe, options.threads)),
      a_statistics_(statistics_of(a_input_.view(), a_, treatment.a, options.threads)),
      b_statistics_(statistics_of(b_input_.view(), b_, treatment.b, options.threads)) {
  if (options.has_core()) {
    core_a_ = core_operand(spec.a, operands.a, a_, treatment.a, spec.residual, options.threads);
    core_b_ =
        core_operand(spec.b, operands.b, b_, treatment.b, ResidualPattern::kNone, options.threads);
  }
  if (treatment.has_residual()) {
    make_residual(options.threads, spec, treatment);
  }
  undo_pre_scale(treatment.a, a_.packed);
  undo_pre_scale(treatment.a, selected_);
  undo_pre_scale(treatment.b, b_.packed);
  set_corrections(treatment);
}

void PackedProduct::make_residual(int threads, const GemmSpec& spec,
                                  const GemmTreatment& treatment) {
  const OperandRecipe& recipe = *treatment.a.recipe;
  const ResidualTreatment& residual = treatment.residual;
  const PackedMatrix dense = prepare_residual(a_input_.view(), a_, recipe, threads);
  core_a_.mask = residual_mask(dense, residual.pattern, threads);
  selected_ = select_residual(dense, {residual.pattern, residual.selection},
                              transformed_rows(a_input_.view(), recipe), threads);
  residual_.emplace(
      ResidualOperand{selected_, residual_granule(residual.build, residual.order, spec.k)});
}

void PackedProduct::set_corrections(const GemmTreatment& treatment) {
  corrections_.residual = residual_ ? &*residual_ : nullptr;
  if (residual_) {
    corrections_.residual_alpha = treatment.residual.alpha;
  }
  corrections_.a_macro = a_.macro.length == 0 ? nullptr : &a_.macro;
  corrections_.b_macro = b_.macro.length == 0 ? nullptr : &b_.macro;
  corrections_.epilogue = treatment.epilogue;
}

CoreGemm PackedProduct::core_gemm(const CoreOperand& a, const CoreOperand& b, uint32_t* d) const {
  CoreGemm gemm{a, b, nullptr, d};
  gemm.residual_alpha = corrections_.residual_alpha.value_or(1.0F);
  return gemm;
}

MacroScales macro_rows(const MacroScales& macro, int64_t k, int64_t first, int64_t rows) {
  const int64_t columns = ceil_divide(k, macro.length);
  const auto begin = macro.factors.begin() + first * columns;
  return {macro.length, {begin, begin + rows * columns}};
}

PackedMatrix packed_rows(const PackedMatrix& matrix, int64_t first, int64_t rows) {
  PackedMatrix result = make_packed_matrix(matrix.format, rows, matrix.k);
  std::copy_n(matrix.row_codes(first), result.codes.size(), result.codes.begin());
  std::copy_n(matrix.row_scales(first), result.scales.size(), result.scales.begin());
  result.tensor_scale = matrix.tensor_scale;
  return result;
}

OperandRows::OperandRows(const CoreOperand& whole, int64_t first, int64_t rows) : operand_(whole) {
  if (whole.packed != nullptr) {
    packed_ = packed_rows(*whole.packed, first, rows);
    operand_.packed = &packed_;
    if (whole.macro != nullptr) {
      macro_ = macro_rows(*whole.macro, whole.packed->k, first, rows);
      operand_.macro = &macro_;
    }
    return;
  }
  view_ = *whole.input;
  const int64_t width = view_.type == ValueType::kBf16 ? 2 : 4;
  view_.data = static_cast<const uint8_t*>(view_.data) + first * view_.row_stride * width;
  view_.rows = rows;
  operand_.input = &view_;
  if (whole.quantizer->residual == ResidualPattern::kBlock32x64At50) {
    const int64_t columns = ceil_divide(view_.k, kResidualTileChannels);
    const auto begin = whole.mask.begin() + first / kResidualTileRows * columns;
    operand_.mask.assign(begin, begin + ceil_divide(rows, kResidualTileRows) * columns);
  }
}

}  // namespace nibblecore::tb
