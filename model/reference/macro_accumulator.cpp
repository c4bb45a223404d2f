// SPDX-License-Identifier: Apache-2.0
#include "model/reference/macro_accumulator.hpp"

#include "model/common/bits.hpp"
#include "model/reference/exact_sum.hpp"
#include "model/reference/multiply_add.hpp"

namespace nibblecore {
namespace {

uint32_t factor_bits(const float* factors, int64_t macro_block) {
  return float_bits(factors == nullptr ? 1.0F : factors[macro_block]);
}

}  // namespace

MacroAccumulator::MacroAccumulator(uint32_t start, const DotCorrections& corrections)
    : corrections_(corrections), sum_(corrections.macro_length == 0 ? start : 0), total_(start) {}

uint32_t& MacroAccumulator::sum_at(int64_t k) {
  if (corrections_.macro_length != 0 && k / corrections_.macro_length != macro_block_) {
    take_in();
    macro_block_ = k / corrections_.macro_length;
  }
  return sum_;
}

uint32_t MacroAccumulator::finish() {
  if (corrections_.macro_length == 0) {
    return sum_;
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
    total_ = multiply_add_fp32(sum_, factor, total_);
  } else {
    const uint32_t one = float_bits(1.0F);
    total_ = multiply_add_fp32(multiply_fp32(sum_, factor), one, total_);
  }
  sum_ = 0;
}

}  // namespace nibblecore
