// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <boost/multiprecision/cpp_int.hpp>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// The exact sum of squares of decoded elements, in a unit common to all of one scale kind; NaN
/// where an element was.
struct SquaredNorm {
  bool is_nan = false;
  boost::multiprecision::cpp_int sum;
};

/// Whether `a` is the larger norm. NaN is larger than every number; two NaNs are alike.
bool is_larger(const SquaredNorm& a, const SquaredNorm& b);

/// Squares of the elements of one block as integers, without its scale (E2M1 doubled, S1P2 in
/// quarters times 2^micro-exponents): `matrix.format.block` values.
void block_squares(const PackedMatrix& matrix, int64_t row, int64_t block, uint16_t* squares);

/// Sums squares under many scales: integers for each scale code, multiplied out once at the end.
class SquaredNormSum {
 public:
  explicit SquaredNormSum(ScaleKind scale) : scale_(scale) {}

  /// Adds elements whose integers have squares that sum to `squares`, under a block's scale code.
  void add(uint8_t scale_code, uint64_t squares) {
    squares_[scale_code] += squares;
    seen_[scale_code] = true;
  }
  SquaredNorm total() const;

 private:
  ScaleKind scale_;
  std::array<uint64_t, 256> squares_{};  ///< at most 784 a value: far from 2^64
  std::array<bool, 256> seen_{};         ///< a NaN scale counts under zeros too
};

}  // namespace nibblecore
