// SPDX-License-Identifier: Apache-2.0
#include "tb/coverage/accumulator_points.hpp"

#include <string>

#include "model/formats/fp32.hpp"
#include "tb/coverage/accumulator_bins.hpp"

namespace nibblecore::tb {
namespace {

namespace bins = accumulator_bins;

std::string group_of(const BlockFormat& format) {
  return std::string(format.name) + " accumulator";
}

}  // namespace

AccumulatorPoints::AccumulatorPoints(const BlockFormat& format, Coverage& coverage)
    : term_bits_(coverage.add(group_of(format), "bits of the term", bins::term(format))),
      signs_(coverage.add(group_of(format), "signs of accumulator, term", bins::sign())),
      alignment_(coverage.add(group_of(format), "alignment", bins::alignment())),
      cancellation_(coverage.add(group_of(format), "carry, cancellation", bins::cancellation())),
      rounding_(coverage.add(group_of(format), "rounding", bins::rounding(format))),
      result_(coverage.add(group_of(format), "result", bins::result(format))),
      special_(coverage.add(group_of(format), "special values", bins::special())) {}

uint32_t AccumulatorPoints::sample(const AccumulatorInput& input) {
  const auto magnitude = static_cast<uint64_t>(input.term < 0 ? -int64_t{input.term} : input.term);
  term_bits_.hit(static_cast<size_t>(bit_width(magnitude)));
  if (input.nan || !fp32_is_finite(input.before)) {
    return sample_special(input);
  }
  const bool start_is_zero = (input.before & ~kFp32SignBit) == 0;
  if (input.term == 0 || start_is_zero) {
    return sample_zero(input);
  }
  if ((input.before & ~kFp32SignBit) < 0x00800000) {
    special_.hit(bins::kSubnormalStart);
  }
  signs_.hit(size_t{input.before >> 31} * 2 + (input.term < 0 ? 1U : 0U));
  const Addition addition = exact_addition(input.before, input.term, input.exponent);
  sample_alignment(addition);
  sample_cancellation(addition);
  if (addition.sum == 0) {
    result_.hit(bins::kExactZero);
    return 0;
  }
  return sample_rounding(addition.sum, addition.sum_exponent);
}

uint32_t AccumulatorPoints::sample_special(const AccumulatorInput& input) {
  const bool infinite = fp32_is_infinite(input.before);
  const bool was_nan = fp32_is_nan(input.before);
  if (input.nan) {
    special_.hit(was_nan    ? bins::kNanScaleOverNan
                 : infinite ? bins::kNanScaleOverInfinity
                            : bins::kNanScaleOverNumber);
    if (input.term == 0) {
      special_.hit(bins::kNanScaleOverZeroTerm);
    }
    return kFp32Nan;
  }
  if (infinite) {
    special_.hit((input.before >> 31) != 0 ? bins::kNegativeInfinityStays : bins::kInfinityStays);
    return input.before;
  }
  special_.hit(input.before == kFp32Nan ? bins::kNanStays : bins::kPayloadDropped);
  return kFp32Nan;
}

uint32_t AccumulatorPoints::sample_zero(const AccumulatorInput& input) {
  const uint32_t negative = input.before >> 31;
  const uint32_t magnitude = input.before & ~kFp32SignBit;
  if (input.term == 0) {
    signs_.hit(bins::kZeroTerm + (magnitude == 0 ? 2U : 0U) + negative);
    if (magnitude != 0 && magnitude < 0x00800000) {
      signs_.hit(bins::kZeroTerm + 4);
    }
    return magnitude == 0 ? 0 : input.before;
  }
  signs_.hit(bins::kZeroStart + size_t{2} * negative + (input.term < 0 ? 1U : 0U));
  return sample_rounding(input.term, input.exponent);
}

void AccumulatorPoints::sample_alignment(const Addition& addition) {
  if (addition.distance == 0) {
    alignment_.hit(0);
    return;
  }
  const bool term_above = addition.distance < 0;
  const int distance = term_above ? -addition.distance : addition.distance;
  const int right = distance - bins::kLeftShifts;
  const int lower_bits = term_above ? addition.accumulator_bits : addition.term_bits;
  const size_t first = 1 + (term_above ? bins::kDirection : 0);
  if (right <= 0) {
    alignment_.hit(first + static_cast<size_t>(distance) - 1);
  } else if (right <= addition.lower_trailing_zeros) {
    alignment_.hit(first + bins::kLeftShifts);
  } else {
    alignment_.hit(first + bins::kLeftShifts + (right < lower_bits ? 1U : 2U));
  }
}

void AccumulatorPoints::sample_cancellation(const Addition& addition) {
  if (!addition.subtracts) {
    cancellation_.hit(addition.sum_bits > addition.greater_bits ? 1 : 0);
  } else if (addition.sum == 0) {
    cancellation_.hit(bins::kMostCancelled + 3);
  } else {
    cancellation_.hit(static_cast<size_t>(2 + addition.greater_bits - addition.sum_bits));
  }
}

uint32_t AccumulatorPoints::sample_rounding(Int128 sum, int32_t exponent) {
  constexpr int32_t kLargestExponent = 104;
  const bool negative = sum < 0;
  const uint32_t sign = negative ? kFp32SignBit : 0;
  const Rounded rounded = round_exactly(sum, exponent);
  rounding_.hit(static_cast<size_t>((rounded.subnormal ? 2 : 0) + (negative ? 1 : 0)) * kFractions +
                static_cast<size_t>(rounded.fraction));
  const size_t of_sign = negative ? 1 : 0;
  if (rounded.last_exponent > kLargestExponent) {
    // The sum itself, before the rounding, against 2^128.
    const Uint128 magnitude = static_cast<Uint128>(negative ? -sum : sum);
    const bool beyond = exponent + bit_width128(magnitude) > 128;
    result_.hit((beyond ? bins::kInfinityByRange : bins::kInfinityByRounding) + of_sign);
    return sign | kFp32Infinity;
  }
  if (rounded.mantissa == 0) {
    result_.hit(bins::kUnderflowPositive + of_sign);
    return sign;
  }
  const bool normal = rounded.mantissa >= 0x800000;
  if (rounded.subnormal && normal) {
    result_.hit(bins::kRoundedToLeastNormal);
  } else if (normal) {
    result_.hit(bins::kNormal);
  } else {
    result_.hit(bins::kSubnormalPositive + of_sign);
  }
  const uint32_t field = normal ? static_cast<uint32_t>(rounded.last_exponent + 150) << 23 : 0;
  return sign | field | (rounded.mantissa & 0x7FFFFF);
}

}  // namespace nibblecore::tb
