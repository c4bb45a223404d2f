// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/channel/quantizer_payload.hpp"
#include "model/machine/gemm_spec.hpp"

namespace nibblecore::hw {

/// Half of L0A or L0B: the rows of one chunk of an operand as the array reads them, and behind A
/// its residual. [rows, blocks] with the bytes of a block behind each other; what a 2:4 residual
/// keeps of a block's codes is half of them, two positions a quad in `indices`.
struct OperandPanel {
  int64_t rows = 0;
  int64_t blocks = 0;
  std::vector<uint8_t> codes;
  std::vector<uint8_t> scales;
  std::vector<uint8_t> residual_codes;
  std::vector<uint8_t> residual_scales;
  std::vector<uint8_t> indices;

  std::vector<uint16_t> factors;  ///< [rows, factors_a_row], FP16

  /// Sizes everything for a chunk of this GEMM; `residual` kNone for an operand without,
  /// `factors_a_row` 0 for one without factors of macro blocks.
  void shape(const BlockFormat& format, ResidualPattern residual, int64_t rows, int64_t blocks,
             int64_t factors_a_row = 0);

  /// A piece as it lies in L1: all rows' codes, then all rows' scales, then all rows' factors.
  void fill_packed(const uint8_t* piece);

  /// One block from the quantizer.
  void fill_block(int64_t row, int64_t block, const QuantizedBlock& quantized);

  int64_t code_bytes = 0;  ///< of a block
  int64_t scale_bytes = 0;
  int64_t residual_code_bytes = 0;
  int64_t index_bytes = 0;
  int64_t factors_a_row = 0;
};

}  // namespace nibblecore::hw
