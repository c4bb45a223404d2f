// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore::tb {

/// The first number that is added to an output's accumulator: significand * 2^exponent, or NaN.
struct FirstTerm {
  int64_t significand;
  int32_t exponent;
  bool nan;
};

/// The dot product of block 0 of row `a_row` of A and row `b_row` of B, in plain integers.
FirstTerm first_term(const PackedMatrix& a, int64_t a_row, const PackedMatrix& b, int64_t b_row);

}  // namespace nibblecore::tb
