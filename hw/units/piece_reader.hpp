// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/channel/quantizer_payload.hpp"
#include "model/machine/gemm_spec.hpp"

namespace nibblecore::hw {

/// A piece of an online operand in L1: [rows, k] values in the input width, and behind operand A's
/// the part of the residual's mask that belongs to it.
struct OnlinePiece {
  const uint8_t* bytes;
  OperandPath path;
  int64_t rows;
  int64_t k;
  int block;
  ResidualPattern mask;  ///< kNone where the pattern needs none
};

/// Block `block` of row `row` as the quantizer takes it in: FP32 bits, padded with +0 past k, and
/// the elements whose residual is kept.
void read_block(const OnlinePiece& piece, int64_t row, int64_t block, UnquantizedBlock& result);

}  // namespace nibblecore::hw
