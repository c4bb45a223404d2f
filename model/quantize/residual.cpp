// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/residual.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/dequantize.hpp"
#include "model/quantize/quantize.hpp"
#include "model/quantize/quantize_rows.hpp"

namespace nibblecore {
namespace {

/// Turns `values`, the inputs of one row, into their residuals.
void subtract_decoded(const PackedMatrix& quantized, int64_t row, float* values) {
  std::vector<float> decoded(static_cast<size_t>(quantized.k));
  dequantize_row(quantized, row, decoded.data());
  for (size_t i = 0; i < decoded.size(); ++i) {
    const float residual = values[i] - decoded[i];
    // Every preset makes a block with a NaN a NaN block; NVFP4 would saturate an infinity.
    values[i] = std::isfinite(residual) ? residual : std::numeric_limits<float>::quiet_NaN();
  }
}

bool same_number(float a, float b) {
  return float_bits(a) == float_bits(b) || (std::isnan(a) && std::isnan(b));
}

}  // namespace

PackedMatrix quantize_residual(const MatrixView& input, const PackedMatrix& quantized,
                               const Preset& preset, int threads) {
  if (input.rows != quantized.rows || input.k != quantized.k ||
      preset.format.block != quantized.format.block ||
      preset.format.scale != quantized.format.scale) {
    throw InternalError("residual of a matrix and a packed matrix of another size or format");
  }
  PackedMatrix residual = make_packed_matrix(quantized.format, quantized.rows, quantized.k);
  const Nvfp4TensorScale scale = tensor_scale(input, preset, threads);
  if (!same_number(scale.decode, quantized.tensor_scale)) {
    throw InternalError("residual of a matrix and a packed matrix of another tensor scale");
  }
  const RowSource source = [&](int64_t row, float* values) {
    load_row(input, row, values);
    subtract_decoded(quantized, row, values);
  };
  quantize_rows(source, preset, scale, threads, residual);
  residual.tensor_scale = quantized.tensor_scale;  // bit for bit, also where it is NaN
  return residual;
}

}  // namespace nibblecore
