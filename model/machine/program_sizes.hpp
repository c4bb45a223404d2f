// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/machine/gemm_spec.hpp"

namespace nibblecore {

/// Bytes of a piece of operand A or B in memory and L1: codes and scales of a packed operand, the
/// values of an online one, and behind A's the part of a residual's mask that belongs to it; behind
/// packed ones the factors of macro blocks.
int64_t a_piece_bytes(const GemmSpec& spec, int64_t rows, int64_t k);
int64_t b_piece_bytes(const GemmSpec& spec, int64_t columns, int64_t k);

/// Bytes of the mask of a residual pattern that is computed before the run: a bit a channel
/// (channel-50) or a bit a tile (block-32x64-50), else 0.
int64_t mask_bytes(const GemmSpec& spec, int64_t rows, int64_t k);

/// Bytes of the factors of macro blocks that belong to rows x k of an operand: FP16, one for each
/// row and macro block.
int64_t a_factor_bytes(const GemmSpec& spec, int64_t rows, int64_t k);
int64_t b_factor_bytes(const GemmSpec& spec, int64_t columns, int64_t k);

/// Bytes of a stored result.
int64_t output_bytes(OutputWidth width);

/// FP32 numbers that L0C holds for each output: an accumulator, a second one where the residual has
/// its own, and beside each of them the sum of a macro block where operands have factors.
int64_t accumulators_an_output(const GemmSpec& spec);

/// Bytes of a packed block of the operand, and of its residual as the pattern keeps it: kept codes,
/// scale, and for 2:4 the positions.
int64_t dense_block_bytes(const GemmSpec& spec);
int64_t residual_block_bytes(const GemmSpec& spec);

}  // namespace nibblecore
