// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/reference/dot_corrections.hpp"
#include "model/reference/exact_sum.hpp"

namespace nibblecore {

/// An FP32 accumulator and the terms that its next rounding will take in.
class Accumulator {
 public:
  /// Starts at these FP32 bits, not a NaN.
  explicit Accumulator(uint32_t start) : bits_(start) {}

  void add(const ExactTerm& term) { terms_.push_back(term); }
  /// Rounds what was added since the last time; an infinity stays.
  void round();
  void restart(uint32_t start) { bits_ = start; }
  uint32_t bits() const { return bits_; }

 private:
  uint32_t bits_;
  std::vector<ExactTerm> terms_;
};

/// The accumulator of one output where macro blocks may have factors: products then pass through a
/// tile sum, which the epilogue takes in at the end of each macro block.
class MacroAccumulator {
 public:
  /// `block` is the format's. Refers to `corrections`.
  MacroAccumulator(uint32_t start, const DotCorrections& corrections, int block);

  /// Adds the product of a block of K. Everything before must be rounded where the macro block
  /// changes.
  void add(const ExactTerm& term, int64_t block) {
    if (corrections_.macro_length != 0) {
      enter(block * block_ / corrections_.macro_length);
    }
    sum_.add(term);
  }
  void round() { sum_.round(); }
  /// The result, when all is added and rounded.
  uint32_t finish();

 private:
  void enter(int64_t macro_block);
  void take_in();

  const DotCorrections& corrections_;
  int block_;
  Accumulator sum_;  ///< of the tile; without macro scales of everything
  uint32_t total_;
  int64_t macro_block_ = -1;  ///< of the tile sum; negative before the first
};

}  // namespace nibblecore
