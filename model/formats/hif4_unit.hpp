// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace nibblecore {

/// One HiF4 unit: 64 S1P2 elements under an E6M2 scale, 8 level-2 and 16 level-3 micro-exponents
/// (arXiv 2602.11287). Element i has level-2 bit i / 8 and level-3 bit i / 4 (adjacent grouping).
struct Hif4Unit {
  uint8_t e6m2 = 0;
  uint8_t e1_8 = 0;    ///< bit g = level-2 group g
  uint16_t e1_16 = 0;  ///< bit g = level-3 group g
  std::array<uint8_t, 64> codes{};

  /// Sum of both micro-exponents of element i: 0, 1 or 2.
  constexpr int micro_exponent(int i) const {
    return ((e1_8 >> (i / 8)) & 1) + ((e1_16 >> (i / 4)) & 1);
  }
};

inline constexpr int kHif4ScaleBytes = 4;
inline constexpr int kHif4UnitBytes = 36;

/// The four scale bytes: E6M2, E1_8, E1_16 low, E1_16 high (the PTO ISA's word, little-endian).
std::array<uint8_t, kHif4ScaleBytes> pack_hif4_scale(const Hif4Unit& unit);
/// Sets scale and micro-exponents of `unit` from four scale bytes.
void unpack_hif4_scale(const uint8_t* bytes, Hif4Unit& unit);

/// The 288-bit record: scale bytes, then 32 bytes of codes, even element in the low nibble.
std::array<uint8_t, kHif4UnitBytes> pack(const Hif4Unit& unit);
Hif4Unit unpack_hif4(const std::array<uint8_t, kHif4UnitBytes>& bytes);

/// The 64 values (exact in FP32); all NaN where the E6M2 code is 0xFF.
std::array<float, 64> decode(const Hif4Unit& unit);

}  // namespace nibblecore
