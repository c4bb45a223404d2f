// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/core_gemm.hpp"

#include "hw/datapath/quantizer_job.hpp"
#include "model/common/bits.hpp"
#include "model/quantize/quantize.hpp"

namespace nibblecore::tb {

CoreOperand packed_operand(const PackedMatrix& matrix) {
  CoreOperand operand;
  operand.packed = &matrix;
  operand.tensor_scale = matrix.tensor_scale;
  return operand;
}

CoreOperand online_operand(const MatrixView& input, const Preset& preset, ResidualPattern residual,
                           int threads) {
  const Nvfp4TensorScale scale = tensor_scale(input, preset, threads);
  CoreOperand operand;
  operand.input = &input;
  operand.quantizer =
      hw::quantizer_job(preset, residual, {float_bits(scale.encode), float_bits(scale.decode)});
  operand.tensor_scale = scale.decode;
  return operand;
}

}  // namespace nibblecore::tb
