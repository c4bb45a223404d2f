// SPDX-License-Identifier: Apache-2.0
#include "model/reference/exact_sum.hpp"

#include <algorithm>
#include <limits>

#include <boost/multiprecision/cpp_int.hpp>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"
#include "model/formats/rounding.hpp"

namespace nibblecore {
namespace {

// 840 binades of exponents, 60 bits of significand and 40 bits of count fit with room to spare.
using WideInteger = boost::multiprecision::int1024_t;

int width_of(const Int128& magnitude) { return bit_width128(static_cast<Uint128>(magnitude)); }
int width_of(const WideInteger& magnitude) {
  return magnitude == 0 ? 0 : static_cast<int>(boost::multiprecision::msb(magnitude)) + 1;
}

/// RNE_FP32(sum * 2^exponent).
template <class Integer>
uint32_t round_integer(const Integer& sum, int exponent) {
  if (sum == 0) {
    return 0;
  }
  const bool negative = sum < 0;
  const Integer magnitude = negative ? Integer(-sum) : sum;
  const int dropped = std::max(0, width_of(magnitude) - 64);
  const Integer kept = magnitude >> dropped;
  const UnroundedMagnitude value{static_cast<uint64_t>(kept), exponent + dropped,
                                 Integer(kept << dropped) != magnitude};
  return round_magnitude(kFp32Format, value, Rounding::kNearestEven, Overflow::kInfinity) |
         (negative ? kFp32SignBit : 0);
}

template <class Integer>
uint32_t round_sum_in(const ExactTerm* terms, size_t count, int lowest) {
  Integer sum = 0;
  for (size_t i = 0; i < count; ++i) {
    if (terms[i].significand != 0) {
      // A product, not a shift: shifting a negative number left is not defined.
      const auto distance = static_cast<unsigned>(terms[i].exponent - lowest);
      // `lowest` is the least exponent of these terms, and the caller chose a type that holds them.
      // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
      sum += Integer(terms[i].significand) * (Integer(1) << distance);
    }
  }
  return round_integer(sum, lowest);
}

}  // namespace

uint32_t round_sum(const ExactTerm* terms, size_t count) {
  int lowest = std::numeric_limits<int>::max();
  int highest = std::numeric_limits<int>::min();
  for (size_t i = 0; i < count; ++i) {
    if (terms[i].significand != 0) {
      const auto magnitude = static_cast<uint64_t>(terms[i].significand < 0 ? -terms[i].significand
                                                                            : terms[i].significand);
      lowest = std::min(lowest, terms[i].exponent);
      highest = std::max(highest, terms[i].exponent + bit_width(magnitude));
    }
  }
  if (lowest > highest) {
    return 0;
  }
  // Both integers hold the sum exactly; the short one is merely faster.
  const bool fits_128_bits = highest - lowest + bit_width(count) <= 126;
  return fits_128_bits ? round_sum_in<Int128>(terms, count, lowest)
                       : round_sum_in<WideInteger>(terms, count, lowest);
}

ExactTerm exact_term(uint32_t fp32_bits) {
  const ExactNumber number = decode(kFp32Format, fp32_bits);
  const int64_t significand = number.significand;
  return {number.negative ? -significand : significand, number.exponent};
}

uint32_t multiply_fp32(uint32_t a, uint32_t b) {
  const ExactNumber x = decode(kFp32Format, a);
  const ExactNumber y = decode(kFp32Format, b);
  const bool x_zero = !x.is_infinite && x.significand == 0;
  const bool y_zero = !y.is_infinite && y.significand == 0;
  if (x.is_nan || y.is_nan || (x.is_infinite && y_zero) || (y.is_infinite && x_zero)) {
    return kFp32Nan;
  }
  const uint32_t sign = x.negative != y.negative ? kFp32SignBit : 0;
  if (x.is_infinite || y.is_infinite) {
    return kFp32Infinity | sign;
  }
  const UnroundedMagnitude product{uint64_t{x.significand} * y.significand, x.exponent + y.exponent,
                                   false};
  return round_magnitude(kFp32Format, product, Rounding::kNearestEven, Overflow::kInfinity) | sign;
}

}  // namespace nibblecore
