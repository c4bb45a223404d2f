// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

namespace nibblecore {

// Pedantic builds accept the 128-bit integer of GCC and Clang only when it is marked.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

/// The 32 bits of an FP32 number.
inline uint32_t float_bits(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The FP32 number with these 32 bits.
inline float bits_float(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Number of bits that `value` needs: 0 for 0, floor(log2) + 1 otherwise.
constexpr int bit_width(uint64_t value) { return value == 0 ? 0 : 64 - __builtin_clzll(value); }

/// bit_width of a 128-bit integer.
constexpr int bit_width128(Uint128 value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 64 + bit_width(high) : bit_width(static_cast<uint64_t>(value));
}

}  // namespace nibblecore
