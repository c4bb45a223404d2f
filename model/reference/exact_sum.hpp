// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace nibblecore {

/// The real number significand * 2^exponent.
struct ExactTerm {
  int64_t significand;
  int exponent;
};

/// FP32 bits of the sum of `count` terms, formed exactly and rounded once, to nearest even. An
/// exact zero is +0; a negative sum that rounds to zero is -0; from 2^128 - 2^103 up it is
/// infinity. Exponents must lie in [-460, 380], significands within 2^60, count within 2^40.
uint32_t round_sum(const ExactTerm* terms, size_t count);

/// A finite FP32 number as a term.
ExactTerm exact_term(uint32_t fp32_bits);

/// FP32 bits of the exact product of two FP32 numbers, rounded once to nearest even; NaN (and
/// infinity times zero) give 0x7FC00000.
uint32_t multiply_fp32(uint32_t a, uint32_t b);

}  // namespace nibblecore
