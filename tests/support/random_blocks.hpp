// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace nibblecore::test {

/// Families of random blocks for quantizers; together they reach every branch.
enum class BlockFamily {
  kOrdinary,   ///< magnitudes within a few binades, as tensors have them
  kBf16,       ///< the same, BF16 numbers
  kWide,       ///< exponents over 40 binades, zeros of both signs among them
  kAnyBits,    ///< any 32 bits with a finite exponent: subnormals to the largest numbers
  kNonFinite,  ///< any 32 bits, one of them NaN or infinite
  kSubnormal,  ///< subnormals and the smallest normal numbers
  kBoundary,   ///< a largest magnitude next to where scales change, at any exponent
  kGrid,       ///< few significant bits: exact values and ties
};
inline constexpr std::array<BlockFamily, 8> kBlockFamilies{
    BlockFamily::kOrdinary,  BlockFamily::kBf16,      BlockFamily::kWide,     BlockFamily::kAnyBits,
    BlockFamily::kNonFinite, BlockFamily::kSubnormal, BlockFamily::kBoundary, BlockFamily::kGrid};

/// FP32 bits with this exponent field, other bits random.
inline uint32_t bits_of_field(uint32_t random, uint32_t field) {
  return (random & 0x807FFFFF) | (field << 23);
}

template <size_t Count>
std::array<uint32_t, Count> random_block(BlockFamily family, std::mt19937& random) {
  constexpr std::array<uint32_t, 4> kCentres{0x000000, 0x400000, 0x600000, 0x7FFFFF};
  const uint32_t top = 1 + random() % 254;  // exponent field of the block
  const auto lower_field = [&](uint32_t span) {
    const uint32_t below = random() % span;
    return top > below ? top - below : 0;
  };
  std::array<uint32_t, Count> values{};
  for (uint32_t& value : values) {
    const uint32_t bits = random();
    switch (family) {
      case BlockFamily::kOrdinary:
        value = bits_of_field(bits, lower_field(6));
        break;
      case BlockFamily::kBf16:
        value = bits_of_field(bits, lower_field(6)) & 0xFFFF0000;
        break;
      case BlockFamily::kWide:
        value = random() % 8 == 0 ? bits & 0x80000000 : bits_of_field(bits, lower_field(40));
        break;
      case BlockFamily::kAnyBits:
      case BlockFamily::kNonFinite:
        value = bits_of_field(bits, random() % 255);
        break;
      case BlockFamily::kSubnormal:
        value = bits_of_field(bits, random() % 3) & (random() % 4 == 0 ? 0x80000FFF : 0xFFFFFFFF);
        break;
      case BlockFamily::kBoundary:
        value = bits_of_field(bits, lower_field(4));
        break;
      case BlockFamily::kGrid:
        value = bits_of_field(bits, lower_field(5)) & 0xFFF80000;
        break;
    }
  }
  uint32_t& marked = values[random() % Count];
  if (family == BlockFamily::kNonFinite) {
    marked = bits_of_field(random() % 2 == 0 ? random() : random() & 0x80000000, 255);
  }
  if (family == BlockFamily::kBoundary) {
    const uint32_t fraction = (kCentres[random() % kCentres.size()] + random() % 5 - 2) & 0x7FFFFF;
    for (uint32_t& value : values) {
      value = (value & 0x7FFFFFFF) > (top << 23) ? value & 0x80000000 : value;
    }
    marked = (random() & 0x80000000) | (top << 23) | fraction;
  }
  return values;
}

}  // namespace nibblecore::test
