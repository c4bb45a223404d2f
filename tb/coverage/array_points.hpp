// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/formats/block_format.hpp"
#include "tb/coverage/coverage.hpp"

namespace nibblecore::tb {

/// What an element of the array's input is: its code, and in HiF4 the micro-exponents above it.
struct ArrayElement {
  uint8_t code;
  uint8_t level2;  ///< 0 or 1; 0 for E2M1
  uint8_t level3;
};

/// What the multipliers of one format see and what the adder trees behind them give, in dense steps
/// or in those of a 2:4 residual.
class ArrayPoints {
 public:
  enum class Lanes { kDense, kTwoOfFour };

  ArrayPoints(const BlockFormat& format, Lanes lanes, Coverage& coverage);

  /// Two elements at one multiplier.
  void sample_pair(const ArrayElement& a, const ArrayElement& b) {
    pairs_.hit(a.code * size_t{16} + b.code);
    if (micro_exponents_ != nullptr) {
      micro_exponents_->hit(a.level2 * size_t{8} + a.level3 * size_t{4} + b.level2 * size_t{2} +
                            b.level3);
    }
  }

  /// The sum of eight places along K, and what HiF4's level 2 of both operands shifts it by.
  void sample_group(int32_t sum, int shift);

  /// A block sum; `products`: whether any product in it was not zero.
  void sample_block(int32_t sum, bool products);

 private:
  CoverPoint& pairs_;
  CoverPoint& groups_;
  CoverPoint& blocks_;
  CoverPoint* micro_exponents_ = nullptr;  ///< HiF4 only
  CoverPoint* shifts_ = nullptr;
  int32_t greatest_group_ = 0;
  int32_t greatest_block_ = 0;
};

}  // namespace nibblecore::tb
