// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/packed_matrix.hpp"
#include "model/reference/exact_sum.hpp"

namespace nibblecore {

/// The scale of one block: significand * 2^exponent in the unit of its elements, or NaN.
struct ExactScale {
  int significand;
  int exponent;
  bool is_nan;
};

/// One row of a packed matrix, decoded from the definition of its format: element i of block b has
/// the value elements[b * block + i] * scales[b].significand * 2^scales[b].exponent.
struct ExactRow {
  std::vector<int16_t> elements;
  std::vector<ExactScale> scales;
};

ExactRow decode_row(const PackedMatrix& matrix, int64_t row);

/// The exact dot product of block `block` of two rows; neither scale is NaN. Within FP32's 24 bits
/// of significand for every format.
ExactTerm block_dot(const ExactRow& a, const ExactRow& b, int64_t block, int block_size);

}  // namespace nibblecore
