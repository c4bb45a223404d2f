// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/residual.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/dequantize.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/ue4m3.hpp"
#include "model/quantize/quantize.hpp"

namespace nibblecore {
namespace {

/// Turns `values`, the inputs of one row, into their residuals.
void subtract_decoded(const PackedMatrix& quantized, int64_t row, float* values) {
  std::vector<float> decoded(static_cast<size_t>(quantized.k));
  dequantize_row(quantized, row, decoded.data());
  for (size_t i = 0; i < decoded.size(); ++i) {
    const float residual = values[i] - decoded[i];
    // NVFP4 would saturate an infinity.
    values[i] = std::isfinite(residual) ? residual : std::numeric_limits<float>::quiet_NaN();
  }
}

uint8_t nan_code(ScaleKind scale) {
  switch (scale) {
    case ScaleKind::kE8m0:
      return kE8m0Nan;
    case ScaleKind::kUe4m3:
      return kUe4m3Nan;
    case ScaleKind::kHif4:
      return kE6m2Nan;
  }
  throw InternalError("unknown kind of scale");
}

/// 1 for each block of a row that holds a NaN. `flags`: [blocks].
void flag_nan_blocks(const float* values, int64_t k, int64_t block, uint8_t* flags) {
  for (int64_t i = 0; i < k; ++i) {
    flags[i / block] = static_cast<uint8_t>(flags[i / block] | (std::isnan(values[i]) ? 1 : 0));
  }
}

bool same_number(float a, float b) {
  return float_bits(a) == float_bits(b) || (std::isnan(a) && std::isnan(b));
}

}  // namespace

PackedMatrix quantize_residual(const MatrixView& input, const PackedMatrix& quantized,
                               const Preset& preset, int threads) {
  if (input.rows != quantized.rows || input.k != quantized.k) {
    throw InternalError("residual of a matrix and a packed matrix of another size");
  }
  const RowQuantization quantization{preset, tensor_scale(input, preset, threads)};
  return quantize_residual(view_rows(input), quantized, quantization, threads);
}

PackedMatrix quantize_residual(const RowSource& source, const PackedMatrix& quantized,
                               const RowQuantization& quantization, int threads) {
  const BlockFormat& format = quantization.preset.format;
  if (format.block != quantized.format.block || format.scale != quantized.format.scale) {
    throw InternalError("residual of a matrix and a packed matrix of another format");
  }
  if (!same_number(quantization.tensor_scale.decode, quantized.tensor_scale)) {
    throw InternalError("residual of a matrix and a packed matrix of another tensor scale");
  }
  PackedMatrix residual = make_packed_matrix(quantized.format, quantized.rows, quantized.k);
  const int64_t blocks = residual.blocks();
  std::vector<uint8_t> nan_blocks(static_cast<size_t>(residual.rows * blocks));
  const RowSource residuals = [&](int64_t row, float* values) {
    source(row, values);
    subtract_decoded(quantized, row, values);
    flag_nan_blocks(values, residual.k, format.block, nan_blocks.data() + row * blocks);
  };
  quantize_rows(residuals, quantization, threads, {residual});
  // Some peers have numbers for blocks with a NaN.
  for (size_t i = 0; i < nan_blocks.size(); ++i) {
    if (nan_blocks[i] != 0) {
      residual.scales[i * static_cast<size_t>(format.scale_bytes())] = nan_code(format.scale);
    }
  }
  residual.tensor_scale = quantized.tensor_scale;  // bit for bit, also where it is NaN
  return residual;
}

}  // namespace nibblecore
