// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/fp32_pack.hpp"

#include <algorithm>

namespace nibblecore::hw {
namespace {

constexpr int32_t kLeastExponent = -149;  // weight of the last bit of a subnormal
constexpr int32_t kMaxFieldShift = 300;   // beyond every exponent field: overflow for certain

}  // namespace

uint32_t round_fp32(bool negative, uint64_t magnitude, int32_t exponent) {
  if (magnitude == 0) {
    return 0;
  }
  const int32_t leading_zeros = __builtin_clzll(magnitude);
  const int32_t top = 63 - leading_zeros;
  const int32_t last_exponent = std::max(exponent + top - 23, kLeastExponent);
  const int32_t shift = last_exponent - exponent;
  uint64_t kept = 0;
  if (shift <= 0) {
    kept = magnitude << -shift;
  } else {
    // All shifts past the top bit look alike: nothing kept, guard 0, sticky 1.
    const int32_t right = std::min(shift, 63);
    kept = magnitude >> right;
    const uint64_t guard = (magnitude >> (right - 1)) & 1;
    const uint64_t sticky = (magnitude & ((uint64_t{1} << (right - 1)) - 1)) != 0 ? 1 : 0;
    kept += guard & (sticky | (kept & 1));
  }
  const uint32_t sign = negative ? kSignBit : 0;
  const int32_t field_shift = std::min(last_exponent - kLeastExponent, kMaxFieldShift);
  // The hidden bit, and a carry of the increment, add to the exponent field.
  const uint64_t packed = (static_cast<uint64_t>(field_shift) << 23) + kept;
  return sign | static_cast<uint32_t>(std::min<uint64_t>(packed, kInfinityBits));
}

}  // namespace nibblecore::hw
