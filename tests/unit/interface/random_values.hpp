// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace nibblecore::test {

/// FP32 numbers within some binades of 1, of both signs.
inline std::vector<float> random_values(int64_t count, std::mt19937& random) {
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) {
    const uint32_t exponent = 120 + static_cast<uint32_t>(random()) % 14;
    const uint32_t bits = (static_cast<uint32_t>(random()) & 0x807FFFFF) | exponent << 23;
    std::memcpy(&value, &bits, sizeof value);
  }
  return values;
}

/// The bits of numbers.
inline std::vector<uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<uint32_t> bits(values.size());
  std::memcpy(bits.data(), values.data(), values.size() * sizeof(float));
  return bits;
}

}  // namespace nibblecore::test
