// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

namespace nibblecore::test {

/// FP32 numbers at which operations have cases of their own, and their neighbours.
inline constexpr uint32_t kSpecialFp32[] = {
    0,          0x80000000, 1,          0x80000001, 0x007FFFFF, 0x00800000, 0x80800000, 0x00800001,
    0x33800000, 0xB3800000, 0x3F000000, 0x3F800000, 0xBF800000, 0x3F800001, 0x3FC00000, 0x4B800000,
    0x7E800000, 0x7F000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7F800001, 0xFFC00000};

/// Operands of a * b + c: everywhere, and where its rounding is decided.
class MultiplyAddOperands {
 public:
  struct Triple {
    uint32_t a;
    uint32_t b;
    uint32_t c;
  };

  explicit MultiplyAddOperands(uint32_t seed) : random_(seed) {}

  Triple next() {
    Triple triple{bits(), bits(), bits()};
    switch (count_++ % 4) {
      case 0:  // anything
        break;
      case 1:  // c about as large as the product
        triple.c = near_product(triple);
        break;
      case 2:  // the same with few bits: ties and cancellation
        triple.a &= 0xFFFFE000 & (bits() | 0xFF800000);
        triple.b &= 0xFFFFE000 & (bits() | 0xFF800000);
        triple.c = near_product(triple) & (bits() | 0xFF800000) & (bits() | 0xFF800000);
        break;
      default:  // products about the smallest numbers
        triple.a = (triple.a & 0x807FFFFF) | (random_() % 128 << 23);
        triple.b = (triple.b & 0x807FFFFF) | (static_cast<uint32_t>(random_() % 64) << 23);
        triple.c = (triple.c & 0x81FFFFFF);
        break;
    }
    return triple;
  }

 private:
  uint32_t bits() { return static_cast<uint32_t>(random_()); }

  /// c with an exponent within 30 of the product's.
  uint32_t near_product(const Triple& triple) {
    const auto field = [](uint32_t fp32) { return static_cast<int>(fp32 >> 23 & 255); };
    const int offset = static_cast<int>(random_() % 61) - 30;
    const int exponent = field(triple.a) + field(triple.b) - 127 + offset;
    return (triple.c & 0x807FFFFF) | (static_cast<uint32_t>(exponent & 255) << 23);
  }

  std::mt19937 random_;
  uint32_t count_ = 0;
};

}  // namespace nibblecore::test
