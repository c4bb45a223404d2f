// SPDX-License-Identifier: Apache-2.0
#include "model/reference/truncating_node.hpp"

#include <algorithm>
#include <cstdlib>

#include "model/common/bits.hpp"
#include "model/formats/accumulation.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore {
namespace {

/// A whole number of units, and whether something other than zero was cut off.
struct Cut {
  int64_t units;
  bool lost;
};

/// `value` in units of 2^unit, cut toward zero.
Cut cut_to(const ExactTerm& value, int unit) {
  if (value.significand == 0) {
    return {0, false};
  }
  if (value.exponent >= unit) {
    return {value.significand * (int64_t{1} << (value.exponent - unit)), false};
  }
  if (unit - value.exponent > 62) {  // significands are below 2^62
    return {0, true};
  }
  const int64_t divisor = int64_t{1} << (unit - value.exponent);
  return {value.significand / divisor, value.significand % divisor != 0};
}

constexpr int kLeastUnit = -149;    // of FP32: the last bit of subnormal numbers
constexpr int kInfinityUnit = 105;  // the last bit of numbers from 2^128 up

/// `sum` cut to 24 significant bits, or to a multiple of 2^-149.
NodeResult to_fp32(const ExactTerm& sum, NegativeUnderflow underflow) {
  const int width = bit_width(static_cast<uint64_t>(std::abs(sum.significand)));
  const int unit = std::max(kLeastUnit, sum.exponent + width - 24);
  const uint32_t sign = sum.significand < 0 ? kFp32SignBit : 0;
  if (sum.significand != 0 && unit >= kInfinityUnit) {
    return {sign | kFp32Infinity, kResultLoss};
  }
  const Cut cut = cut_to(sum, unit);
  const uint8_t loss = cut.lost ? kResultLoss : 0;
  if (cut.units == 0) {
    return {underflow == NegativeUnderflow::kMinusZero ? sign : 0, loss};
  }
  // The hidden bit of a normal number adds 1 to the exponent field.
  const uint32_t field = static_cast<uint32_t>(unit - kLeastUnit) << 23;
  return {sign | (field + static_cast<uint32_t>(std::abs(cut.units))), loss};
}

}  // namespace

NodeResult truncating_node(const NodeTerm* terms, size_t count, int fraction_bits,
                           NegativeUnderflow underflow) {
  int largest = terms[0].alignment;
  for (size_t i = 1; i < count; ++i) {
    largest = std::max(largest, terms[i].alignment);
  }
  const int unit = largest - fraction_bits;
  ExactTerm sum{0, unit};
  bool lost = false;
  for (size_t i = 0; i < count; ++i) {
    const Cut cut = cut_to(terms[i].value, unit);
    sum.significand += cut.units;
    lost = lost || cut.lost;
  }
  NodeResult result = to_fp32(sum, underflow);
  result.truncation = static_cast<uint8_t>(result.truncation | (lost ? kAlignmentLoss : 0));
  return result;
}

}  // namespace nibblecore
