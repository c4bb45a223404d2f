// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/packed_product.hpp"

#include <algorithm>

#include "hw/datapath/quantizer_job.hpp"
#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/quantize/largest_half.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/residual.hpp"
#include "model/quantize/sparsify.hpp"

namespace nibblecore::tb {
namespace {

CoreOperand core_operand(const ReplayOptions& options, OperandPath path, const MatrixView& view,
                         const PackedMatrix& packed, ResidualPattern residual) {
  if (path == OperandPath::kPacked) {
    return packed_operand(packed);
  }
  const Nvfp4TensorScale scale = tensor_scale(view, options.preset, options.threads);
  CoreOperand operand;
  operand.input = &view;
  operand.quantizer = hw::quantizer_job(options.preset, residual,
                                        {float_bits(scale.encode), float_bits(scale.decode)});
  operand.tensor_scale = packed.tensor_scale;
  return operand;
}

}  // namespace

PackedProduct::PackedProduct(const ReplayOptions& options, const Operands& operands,
                             const GemmSpec& spec)
    : a_(quantize(operands.a, options.preset, options.threads)),
      b_(quantize(operands.b, options.preset, options.threads)) {
  if (options.has_core()) {
    core_a_ = core_operand(options, spec.a, operands.a, a_, spec.residual);
    core_b_ = core_operand(options, spec.b, operands.b, b_, ResidualPattern::kNone);
  }
  if (spec.residual != ResidualPattern::kNone) {
    make_residual(options, operands, spec);
  }
}

void PackedProduct::make_residual(const ReplayOptions& options, const Operands& operands,
                                  const GemmSpec& spec) {
  const PackedMatrix dense = quantize_residual(operands.a, a_, options.preset, options.threads);
  selected_ = sparsify(dense, spec.residual, options.threads);
  residual_.emplace(ResidualOperand{
      selected_, residual_granule(spec.residual_build, spec.residual_order, spec.k)});
  if (spec.residual == ResidualPattern::kChannel50) {
    core_a_.mask = largest_channels(dense, options.threads);
  } else if (spec.residual == ResidualPattern::kBlock32x64At50) {
    core_a_.mask = largest_tiles(dense, options.threads);
  }
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
      const int64_t factors = ceil_divide(whole.packed->k, whole.macro->length);
      const auto begin = whole.macro->factors.begin() + first * factors;
      macro_ = {whole.macro->length, {begin, begin + rows * factors}};
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
