// SPDX-License-Identifier: Apache-2.0
#include "model/reference/dot.hpp"

#include <algorithm>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/formats/fp32.hpp"
#include "model/reference/accumulator.hpp"
#include "model/reference/multiply_add.hpp"

namespace nibblecore {
namespace {

/// The rows of one output and what corrects it.
struct Rows {
  const ExactRow& a;
  const ExactRow& b;
  const BlockFormat& format;
  const DotCorrections& corrections;

  int64_t blocks() const { return static_cast<int64_t>(a.scales.size()); }
};

/// Whether a rounding follows `block` in a run of blocks that ends before `end`.
bool rounds_after(Accumulation policy, const BlockFormat& format, int64_t block, int64_t end) {
  switch (policy) {
    case Accumulation::kFp32Rne:
      return true;
    case Accumulation::kFp32Fused:
      return block + 1 == end || (block + 1) * format.block % kFusedWidth == 0;
    case Accumulation::kExact:
      return false;
  }
  throw InternalError("unknown accumulation policy");
}

/// Blocks [first, end) of `row`, A's or its residual's.
void add_run(const Rows& rows, const ExactRow& row, int64_t first, int64_t end, Accumulation policy,
             MacroAccumulator& sum) {
  for (int64_t block = first; block < end; ++block) {
    sum.add(block_dot(row, rows.b, block, rows.format.block), block);
    if (rounds_after(policy, rows.format, block, end)) {
      sum.round();
    }
  }
}

/// The dot product under a policy that rounds on the way.
uint32_t rounded_dot(const Rows& rows, uint32_t c, Accumulation policy) {
  const DotCorrections& corrections = rows.corrections;
  const int64_t blocks = rows.blocks();
  MacroAccumulator sum(c, corrections, rows.format.block);
  if (corrections.residual == nullptr) {
    add_run(rows, rows.a, 0, blocks, policy, sum);
    return sum.finish();
  }
  if (corrections.residual_alpha) {
    MacroAccumulator residual_sum(0, corrections, rows.format.block);
    add_run(rows, rows.a, 0, blocks, policy, sum);
    add_run(rows, *corrections.residual, 0, blocks, policy, residual_sum);
    return multiply_add_fp32(float_bits(*corrections.residual_alpha), residual_sum.finish(),
                             sum.finish());
  }
  const int64_t run = std::min(blocks, ceil_divide(corrections.granule, rows.format.block));
  for (int64_t first = 0; first < blocks; first += run) {
    const int64_t end = std::min(blocks, first + run);
    add_run(rows, rows.a, first, end, policy, sum);
    add_run(rows, *corrections.residual, first, end, policy, sum);
  }
  return sum.finish();
}

/// A term times its macro block's factors, exactly. FP16 numbers have 11 significant bits, which
/// keeps the significand below 2^44.
ExactTerm with_factors(ExactTerm term, const Rows& rows, int64_t block) {
  for (const float* factors : {rows.corrections.a_factors, rows.corrections.b_factors}) {
    if (factors != nullptr) {
      const int64_t macro_block = block * rows.format.block / rows.corrections.macro_length;
      ExactTerm factor = exact_term(float_bits(factors[macro_block]));
      while (factor.significand % 2 == 0) {
        factor.significand /= 2;
        ++factor.exponent;
      }
      term = {term.significand * factor.significand, term.exponent + factor.exponent};
    }
  }
  return term;
}

/// The sum of everything, rounded once.
uint32_t exact_dot(const Rows& rows, uint32_t c) {
  const DotCorrections& corrections = rows.corrections;
  const ExactTerm alpha = exact_term(float_bits(corrections.residual_alpha.value_or(1.0F)));
  Accumulator sum(c);
  for (int64_t block = 0; block < rows.blocks(); ++block) {
    sum.add(with_factors(block_dot(rows.a, rows.b, block, rows.format.block), rows, block));
    if (corrections.residual != nullptr) {
      const ExactTerm term = with_factors(
          block_dot(*corrections.residual, rows.b, block, rows.format.block), rows, block);
      // Two terms, of the lower and the upper 12 bits of alpha, so that significands fit 64 bits.
      const int64_t low = alpha.significand % 4096;
      const int64_t high = alpha.significand / 4096;
      sum.add({term.significand * low, term.exponent + alpha.exponent});
      sum.add({term.significand * high, term.exponent + alpha.exponent + 12});
    }
  }
  sum.round();
  return sum.bits();
}

bool any_nan(const ExactRow& row) {
  return std::any_of(row.scales.begin(), row.scales.end(),
                     [](const ExactScale& scale) { return scale.is_nan; });
}

}  // namespace

uint32_t reference_dot(const ExactRow& a, const ExactRow& b, const BlockFormat& format, uint32_t c,
                       Accumulation policy, const DotCorrections& corrections) {
  const ExactRow* residual = corrections.residual;
  if (fp32_is_nan(c) || any_nan(a) || any_nan(b) || (residual != nullptr && any_nan(*residual))) {
    return kFp32Nan;
  }
  const Rows rows{a, b, format, corrections};
  if (rows.blocks() == 0) {
    return c;
  }
  return policy == Accumulation::kExact ? exact_dot(rows, c) : rounded_dot(rows, c, policy);
}

}  // namespace nibblecore
