// SPDX-License-Identifier: Apache-2.0
#include "tb/stimulus/start_values.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore::tb {
namespace {

constexpr int32_t kBias = 127;
constexpr int32_t kLargestLastBit = 104;  // exponent of the largest number's last bit
constexpr int32_t kLeastBit = -149;       // of a subnormal's
constexpr uint32_t kLargestSubnormal = 0x007FFFFF;
constexpr uint32_t kFraction = 0x7FFFFF;

/// FP32 bits of a number of about 2^exponent, held to FP32's range: below 2^-126 a subnormal.
uint32_t compose(bool negative, int32_t exponent, uint32_t fraction) {
  const uint32_t sign = negative ? kFp32SignBit : 0;
  if (exponent < 1 - kBias) {
    const int32_t right = std::min(1 - kBias - exponent, 31);
    return sign | ((fraction | 0x800000) >> right);
  }
  const int32_t field = std::min(exponent + kBias, 254);
  return sign | (static_cast<uint32_t>(field) << 23) | fraction;
}

/// Exponent of the highest bit.
int32_t top_exponent(const FirstTerm& term) {
  const int64_t magnitude = term.significand < 0 ? -term.significand : term.significand;
  return term.exponent + bit_width(static_cast<uint64_t>(magnitude)) - 1;
}

/// All bits, or only a few at the top: then none gets lost.
uint32_t random_fraction(Dice& dice) {
  const uint32_t fraction = dice.bits() & kFraction;
  if (dice.chance(0.6)) {
    return fraction;
  }
  return fraction & ~(kFraction >> dice.between(0, 6));
}

uint32_t at_distance(Dice& dice, const FirstTerm& term) {
  constexpr int64_t kFar = 75;
  // The aligner counts from last bit to last bit.
  const int64_t distance = dice.between(-kFar, kFar);
  const bool negative = dice.chance(0.5);
  return compose(negative, static_cast<int32_t>(term.exponent + 23 + distance),
                 random_fraction(dice));
}

/// The opposite of the term, or a number a few bits away from it.
uint32_t opposite(Dice& dice, const FirstTerm& term) {
  const bool negative = term.significand > 0;
  const auto magnitude = static_cast<uint64_t>(negative ? term.significand : -term.significand);
  const auto left = 24 - bit_width(magnitude);
  const uint32_t fraction = static_cast<uint32_t>(magnitude << left) & kFraction;
  const uint32_t bits = compose(negative, top_exponent(term), fraction);
  if (dice.chance(0.3)) {
    return bits;
  }
  if (fraction == 0 && dice.chance(0.4)) {
    // The last number before a power of two: nothing cancels more bits without becoming zero.
    return bits - 1;
  }
  // Also over the end of the binade.
  const auto step = static_cast<uint32_t>(1) << (dice.chance(0.3) ? 0 : dice.between(0, 22));
  const uint32_t sign = bits & kFp32SignBit;
  const uint32_t size = bits & ~kFp32SignBit;
  const uint32_t moved = dice.chance(0.5) ? size + step : size - std::min(step, size);
  return sign | std::min(moved, kFp32LargestFinite);
}

/// Lower than the term, with the bits below the sum's last one as they are wanted.
uint32_t with_fraction(Dice& dice, const FirstTerm& term) {
  const auto below = static_cast<int32_t>(dice.between(9, 22));  // bits below the sum's last
  const uint32_t half = uint32_t{1} << (below - 1);
  const std::vector<uint32_t> rests{0,    1,        half / 2,        half - 1,
                                    half, half + 1, half + half / 2, 2 * half - 1};
  const uint32_t rest = dice.of(rests);
  const uint32_t upper = (dice.bits() | 0x800000) & 0xFFFFFF;
  const uint32_t significand = (upper & ~(2 * half - 1)) | rest;
  const bool negative = dice.chance(0.5);
  return compose(negative, top_exponent(term) - below, significand & kFraction);
}

/// Higher than the term, whose last set bit is half of this number's last bit.
uint32_t tie(Dice& dice, const FirstTerm& term) {
  const auto magnitude =
      static_cast<uint64_t>(term.significand < 0 ? -term.significand : term.significand);
  const int32_t lowest = term.exponent + __builtin_ctzll(magnitude);
  const bool negative = dice.chance(0.5);
  return compose(negative, lowest + 1 + 23, dice.bits() & kFraction);
}

uint32_t special(Dice& dice) {
  const uint32_t magnitude = dice.of<uint32_t>(
      {0, 0, 0, kFp32Infinity, kFp32Nan, 0x7F800001, 0x7FFFFFFF, 1, kLargestSubnormal, 0x00800000,
       kFp32LargestFinite, kFp32LargestFinite, 0x3F800000, dice.bits() & kFraction});
  return magnitude | (dice.chance(0.5) ? kFp32SignBit : 0);
}

}  // namespace

uint32_t random_start(Dice& dice, const std::vector<double>& styles, const FirstTerm& term) {
  const auto style = dice.weighted<StartStyle>(styles);
  if (style == StartStyle::kSpecial) {
    return special(dice);
  }
  if (term.significand != 0 && dice.chance(0.7)) {
    const uint32_t sign = term.significand < 0 ? kFp32SignBit : 0;
    if (std::abs(top_exponent(term) - kLargestLastBit) <= 1) {
      return sign | kFp32LargestFinite;  // about where the largest number becomes infinite
    }
    if (std::abs(top_exponent(term) - kLeastBit) <= 1) {
      return sign | kLargestSubnormal;  // about where that one becomes normal
    }
  }
  if (term.significand == 0 || style == StartStyle::kDistance) {
    return at_distance(dice, term);
  }
  switch (style) {
    case StartStyle::kCancel:
      return opposite(dice, term);
    case StartStyle::kFraction:
      return with_fraction(dice, term);
    default:
      return tie(dice, term);
  }
}

}  // namespace nibblecore::tb
