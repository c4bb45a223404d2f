// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/matrix_view.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/formats/preset.hpp"
#include "model/quantize/quantize_rows.hpp"

namespace nibblecore {

/// The quantized residual of an operand (Rollout-ResQ, arXiv 2607.26515): d = RNE_FP32(x - Q(x)),
/// quantized by `preset` on the blocks of `quantized`, which is quantize(input, preset). x is taken
/// as given: the preset's own rounding of its input applies to d alone. NVFP4 keeps the tensor
/// scale of `quantized`, so that one alpha serves both.
///
/// A d that is NaN or infinite makes its block NaN, also in presets of peers that would not. That
/// holds for all blocks that `quantized` has as NaN, and for values that decode to infinity (MXFP4
/// from 2^128 up, in front of the tensor scale) or were infinite. InternalError where `quantized`
/// has another size, format or tensor scale.
PackedMatrix quantize_residual(const MatrixView& input, const PackedMatrix& quantized,
                               const Preset& preset, int threads);

/// The same for the rows x that `source` gives, quantized as `quantization` says; its tensor scale
/// is that of `quantized`.
PackedMatrix quantize_residual(const RowSource& source, const PackedMatrix& quantized,
                               const RowQuantization& quantization, int threads);

}  // namespace nibblecore
