// SPDX-License-Identifier: Apache-2.0
#include "hw/units/operand_panel.hpp"

#include <algorithm>

namespace nibblecore::hw {

void OperandPanel::shape(const BlockFormat& format, ResidualPattern residual, int64_t panel_rows,
                         int64_t panel_blocks, int64_t panel_factors) {
  rows = panel_rows;
  blocks = panel_blocks;
  code_bytes = format.block / 2;
  scale_bytes = format.scale_bytes();
  const bool sparse = residual == ResidualPattern::kTwoOfFour;
  residual_code_bytes = residual == ResidualPattern::kNone ? 0
                        : sparse                           ? format.block / 4
                                                           : format.block / 2;
  index_bytes = sparse ? format.block / 8 : 0;
  factors_a_row = panel_factors;
  factors.resize(static_cast<size_t>(rows * factors_a_row));
  const int64_t count = rows * blocks;
  codes.resize(static_cast<size_t>(count * code_bytes));
  scales.resize(static_cast<size_t>(count * scale_bytes));
  residual_codes.resize(static_cast<size_t>(count * residual_code_bytes));
  residual_scales.resize(
      static_cast<size_t>(residual == ResidualPattern::kNone ? 0 : count * scale_bytes));
  indices.resize(static_cast<size_t>(count * index_bytes));
}

void OperandPanel::fill_packed(const uint8_t* piece) {
  std::copy_n(piece, codes.size(), codes.begin());
  std::copy_n(piece + codes.size(), scales.size(), scales.begin());
  const uint8_t* factor = piece + codes.size() + scales.size();
  for (uint16_t& code : factors) {
    code = static_cast<uint16_t>(factor[0] | (factor[1] << 8));
    factor += 2;
  }
}

void OperandPanel::fill_block(int64_t row, int64_t block, const QuantizedBlock& quantized) {
  const int64_t index = row * blocks + block;
  std::copy_n(quantized.dense.codes.begin(), code_bytes, codes.begin() + index * code_bytes);
  std::copy_n(quantized.dense.scale.begin(), scale_bytes, scales.begin() + index * scale_bytes);
  if (residual_code_bytes == 0) {
    return;
  }
  std::copy_n(quantized.residual.codes.begin(), residual_code_bytes,
              residual_codes.begin() + index * residual_code_bytes);
  std::copy_n(quantized.residual.scale.begin(), scale_bytes,
              residual_scales.begin() + index * scale_bytes);
  std::copy_n(quantized.indices.begin(), index_bytes, indices.begin() + index * index_bytes);
}

}  // namespace nibblecore::hw
