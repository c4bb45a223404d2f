// SPDX-License-Identifier: Apache-2.0
#include "model/reference/dot.hpp"

#include <algorithm>
#include <vector>

#include "model/common/bits.hpp"
#include "model/common/checked.hpp"
#include "model/formats/fp32.hpp"
#include "model/reference/exact_sum.hpp"
#include "model/reference/macro_accumulator.hpp"
#include "model/reference/multiply_add.hpp"
#include "model/reference/truncating_dot.hpp"

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
  const int64_t width = node_width(policy, format);
  return block + 1 == end || (block + 1) * format.block % width == 0;
}

/// RNE_FP32(sum + all terms), which are taken out; an infinity stays.
void add_rounded(uint32_t& sum, std::vector<ExactTerm>& terms) {
  if (fp32_is_finite(sum)) {
    terms.push_back(exact_term(sum));
    sum = round_sum(terms.data(), terms.size());
  }
  terms.clear();
}

/// Blocks [first, end) of `row`, A's or its residual's.
void add_run(const Rows& rows, const ExactRow& row, int64_t first, int64_t end, Accumulation policy,
             MacroAccumulator& accumulator) {
  std::vector<ExactTerm> terms;
  for (int64_t block = first; block < end; ++block) {
    terms.push_back(block_dot(row, rows.b, block, rows.format.block));
    if (rounds_after(policy, rows.format, block, end)) {
      add_rounded(accumulator.sum_at(block * rows.format.block), terms);
    }
  }
}

/// The dot product under a policy that rounds on the way.
uint32_t rounded_dot(const Rows& rows, uint32_t c, Accumulation policy) {
  const DotCorrections& corrections = rows.corrections;
  const int64_t blocks = rows.blocks();
  MacroAccumulator sum(c, corrections);
  if (corrections.residual == nullptr) {
    add_run(rows, rows.a, 0, blocks, policy, sum);
    return sum.finish();
  }
  if (corrections.residual_alpha) {
    MacroAccumulator residual_sum(0, corrections);
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
  std::vector<ExactTerm> terms;
  for (int64_t block = 0; block < rows.blocks(); ++block) {
    terms.push_back(with_factors(block_dot(rows.a, rows.b, block, rows.format.block), rows, block));
    if (corrections.residual != nullptr) {
      const ExactTerm term = with_factors(
          block_dot(*corrections.residual, rows.b, block, rows.format.block), rows, block);
      // Two terms, of the lower and the upper 12 bits of alpha, so that significands fit 64 bits.
      const int64_t low = alpha.significand % 4096;
      const int64_t high = alpha.significand / 4096;
      terms.push_back({term.significand * low, term.exponent + alpha.exponent});
      terms.push_back({term.significand * high, term.exponent + alpha.exponent + 12});
    }
  }
  add_rounded(c, terms);
  return c;
}

/// The dot product without NaNs; `lost` receives what truncation took.
uint32_t finite_dot(const Rows& rows, uint32_t c, Accumulation policy, uint8_t& lost) {
  if (is_truncating(policy)) {
    return truncating_dot(rows.a, rows.b, rows.format, c, policy, rows.corrections, lost);
  }
  return policy == Accumulation::kExact ? exact_dot(rows, c) : rounded_dot(rows, c, policy);
}

bool any_nan(const ExactRow& row) {
  return std::any_of(row.scales.begin(), row.scales.end(),
                     [](const ExactScale& scale) { return scale.is_nan; });
}

}  // namespace

uint32_t reference_dot(const ExactRow& a, const ExactRow& b, const BlockFormat& format, uint32_t c,
                       Accumulation policy, const DotCorrections& corrections,
                       uint8_t* truncation) {
  const ExactRow* residual = corrections.residual;
  const bool is_nan =
      fp32_is_nan(c) || any_nan(a) || any_nan(b) || (residual != nullptr && any_nan(*residual));
  const Rows rows{a, b, format, corrections};
  uint8_t lost = 0;
  uint32_t result = is_nan ? kFp32Nan : c;
  if (!is_nan && rows.blocks() > 0) {
    result = finite_dot(rows, c, policy, lost);
  }
  if (truncation != nullptr) {
    *truncation = fp32_is_finite(c) ? lost : 0;
  }
  return fp32_is_nan(result) ? nan_of(policy) : result;
}

}  // namespace nibblecore
