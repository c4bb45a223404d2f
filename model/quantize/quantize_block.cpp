// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/quantize_block.hpp"

#include "model/quantize/hif4.hpp"
#include "model/quantize/mxfp4.hpp"

namespace nibblecore {
namespace {

struct QuantizeBlock {
  const BlockValues& values;
  const BlockFormat& format;
  const Nvfp4TensorScale& tensor_scale;
  const BlockCodes& result;

  void operator()(const Mxfp4Rule& rule) const {
    quantize_mxfp4_block(values, format.block, rule, result);
  }
  void operator()(const Hif4Rule& rule) const { quantize_hif4_block(values, rule, result); }
  void operator()(const Nvfp4Rule& rule) const {
    quantize_nvfp4_block(values, rule, tensor_scale, result);
  }
};

}  // namespace

void quantize_block(const BlockValues& block, const Preset& preset,
                    const Nvfp4TensorScale& tensor_scale, const BlockCodes& result) {
  std::visit(QuantizeBlock{block, preset.format, tensor_scale, result}, preset.rule);
}

}  // namespace nibblecore
