// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/wide_sum.hpp"

#include <cmath>
#include <cstring>

#include "model/common/bits.hpp"

namespace nibblecore {
namespace {

constexpr int kDigitBits = 32;
constexpr int64_t kDigitMask = 0xFFFFFFFF;
/// Each adds less than 2^32 to a digit; far more would fit.
constexpr int64_t kMostAdditions = int64_t{1} << 16;

/// A number other than zero: an odd significand times 2^exponent.
struct Parts {
  uint64_t significand;
  int exponent;
  bool negative;
};

Parts parts_of(double number) {
  uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  const uint64_t significand = (bits & 0x000FFFFFFFFFFFFF) | 0x0010000000000000;
  const int zeros = __builtin_ctzll(significand);
  return {significand >> zeros, static_cast<int>((bits >> 52) & 0x7FF) - 1075 + zeros,
          (bits >> 63) != 0};
}

/// Propagates carries; the last one, 0 or -1, is returned: the sign.
template <class Digits>
int64_t carried(Digits& digits) {
  int64_t carry = 0;
  for (int64_t& digit : digits) {
    digit += carry;
    carry = digit >> kDigitBits;
    digit &= kDigitMask;
  }
  return carry;
}

}  // namespace

void WideSum::add(double x, double y) {
  if (x == 0 || y == 0) {
    return;
  }
  if (additions_ == kMostAdditions) {
    carry();
  }
  ++additions_;
  const Parts a = parts_of(x);
  const Parts b = parts_of(y);
  Uint128 product = Uint128{a.significand} * b.significand;
  const int position = a.exponent + b.exponent - kLowestBit;
  const int shift = position % kDigitBits;
  const int64_t sign = a.negative != b.negative ? -1 : 1;
  auto digit = static_cast<size_t>(position / kDigitBits);
  // The lowest digit has room for fewer bits, so that the product needn't be shifted up as a whole.
  digits_[digit++] +=
      sign * static_cast<int64_t>(static_cast<uint32_t>(static_cast<uint64_t>(product) << shift));
  for (product >>= kDigitBits - shift; product != 0; product >>= kDigitBits) {
    digits_[digit++] += sign * static_cast<int64_t>(static_cast<uint32_t>(product));
  }
}

void WideSum::carry() {
  // The top digit keeps the sign.
  const int64_t sign = carried(digits_);
  digits_.back() += sign * (int64_t{1} << kDigitBits);
  additions_ = 0;
}

double WideSum::rounded_to_odd() const {
  Digits digits = digits_;
  const bool negative = carried(digits) < 0;
  if (negative) {
    for (int64_t& digit : digits) {
      digit = -digit;
    }
    carried(digits);
  }
  size_t top = kDigits - 1;
  while (top > 2 && digits[top] == 0) {
    --top;
  }
  Uint128 leading = 0;
  for (size_t i = 0; i < 3; ++i) {
    leading = (leading << kDigitBits) | static_cast<uint64_t>(digits[top - i]);
  }
  bool lost = false;
  for (size_t i = 0; i + 2 < top; ++i) {
    lost = lost || digits[i] != 0;
  }
  const int dropped = bit_width128(leading) > 53 ? bit_width128(leading) - 53 : 0;
  lost = lost || (leading & ((Uint128{1} << dropped) - 1)) != 0;
  const uint64_t kept = static_cast<uint64_t>(leading >> dropped) | (lost ? 1 : 0);
  const double magnitude = std::ldexp(
      static_cast<double>(kept), dropped + kLowestBit + static_cast<int>(top - 2) * kDigitBits);
  return negative ? -magnitude : magnitude;
}

}  // namespace nibblecore
