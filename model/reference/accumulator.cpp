// SPDX-License-Identifier: Apache-2.0
#include "model/reference/accumulator.hpp"

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"
#include "model/reference/multiply_add.hpp"

namespace nibblecore {
namespace {

uint32_t factor_bits(const float* factors, int64_t macro_block) {
  return float_bits(factors == nullptr ? 1.0F : factors[macro_block]);
}

}  // namespace

void Accumulator::round() {
  if (!terms_.empty() && fp32_is_finite(bits_)) {
    terms_.push_back(exact_term(bits_));
    bits_ = round_sum(terms_.data(), terms_.size());
  }
  terms_.clear();
}

MacroAccumulator::MacroAccumulator(uint32_t start, const DotCorrections& corrections, int block)
    : corrections_(corrections),
      block_(block),
      sum_(corrections.macro_length == 0 ? start : 0),
      total_(start) {}

void MacroAccumulator::enter(int64_t macro_block) {
  if (macro_block != macro_block_) {
    take_in();
    macro_block_ = macro_block;
  }
}

uint32_t MacroAccumulator::finish() {
  if (corrections_.macro_length == 0) {
    return sum_.bits();
  }
  take_in();
  return total_;
}

void MacroAccumulator::take_in() {
  if (macro_block_ < 0) {
    return;
  }
  // A product of two FP16 numbers: nothing is rounded.
  const uint32_t factor = multiply_fp32(factor_bits(corrections_.a_factors, macro_block_),
                                        factor_bits(corrections_.b_factors, macro_block_));
  if (corrections_.epilogue == MacroEpilogue::kFused) {
    total_ = multiply_add_fp32(sum_.bits(), factor, total_);
  } else {
    const uint32_t one = float_bits(1.0F);
    total_ = multiply_add_fp32(multiply_fp32(sum_.bits(), factor), one, total_);
  }
  sum_.restart(0);
}

}  // namespace nibblecore
