// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/reference/exact_sum.hpp"

namespace nibblecore {

/// One addend of a truncating node: a real number, and the exponent by which it is aligned, which
/// is that of its factors and need not be that of its leading bit.
struct NodeTerm {
  ExactTerm value;
  int alignment;
};

/// What a negative sum becomes that is not zero but above -2^-149.
enum class NegativeUnderflow { kMinusZero, kPlusZero };

struct NodeResult {
  uint32_t bits;       ///< FP32
  uint8_t truncation;  ///< kAlignmentLoss, kResultLoss
};

/// The sum of `count` terms as tensor cores form it (docs/numerics.md, truncating policies). With E
/// the largest alignment, each term is cut toward zero to a multiple of 2^(E - fraction_bits); what
/// is left is added exactly, in any order, and the sum cut toward zero to FP32. From 2^128 up it is
/// infinity; an exact zero is +0. No term may reach 2^20 times 2^alignment; `fraction_bits` <= 35.
NodeResult truncating_node(const NodeTerm* terms, size_t count, int fraction_bits,
                           NegativeUnderflow underflow);

}  // namespace nibblecore
