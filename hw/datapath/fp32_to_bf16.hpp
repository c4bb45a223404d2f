// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore::hw {

/// The store path's converter: FP32 bits to BF16 bits, rounded to nearest even. The guard is bit
/// 15, sticky the OR of the bits below; the carry of the increment runs into the exponent, so that
/// the largest numbers become infinity. A NaN becomes the upper half of `nan`, as the accumulators
/// give it.
constexpr uint16_t fp32_to_bf16(uint32_t bits, uint32_t nan = 0x7FC00000) {
  const uint32_t kept = bits >> 16;
  const bool exponent_ones = (bits & 0x7F800000U) == 0x7F800000U;
  if (exponent_ones) {
    return static_cast<uint16_t>((bits & 0x007FFFFFU) != 0 ? nan >> 16 : kept);
  }
  const uint32_t guard = (bits >> 15) & 1U;
  const uint32_t sticky = (bits & 0x7FFFU) != 0 ? 1U : 0U;
  const uint32_t up = guard & (sticky | (kept & 1U));
  return static_cast<uint16_t>(kept + up);
}

}  // namespace nibblecore::hw
