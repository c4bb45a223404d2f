// SPDX-License-Identifier: Apache-2.0
#include "model/formats/packed_matrix.hpp"

#include <string>

#include "model/common/checked.hpp"

namespace nibblecore {

int64_t PackedMatrix::blocks() const { return ceil_divide(k, format.block); }

PackedMatrix make_packed_matrix(const BlockFormat& format, int64_t rows, int64_t k) {
  const std::string place =
      "matrix of " + std::to_string(rows) + " rows and " + std::to_string(k) + " columns";
  if (rows < 0 || k < 0) {
    throw InputError(place, "sizes must not be negative");
  }
  // The padded row is at most k + 63 codes; checked before anything is computed from it.
  checked_multiply(rows, checked_add(k, 64, place), place);
  PackedMatrix matrix;
  matrix.format = format;
  matrix.rows = rows;
  matrix.k = k;
  matrix.codes.resize(static_cast<size_t>(rows * matrix.code_stride()));
  matrix.scales.resize(static_cast<size_t>(rows * matrix.scale_stride()));
  return matrix;
}

}  // namespace nibblecore
