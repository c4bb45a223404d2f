// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "model/common/bits.hpp"
#include "model/formats/fp32.hpp"

namespace nibblecore {

/// FP32 bits of the largest |value|, 0 for none. Magnitude bits order like magnitudes, infinity
/// above the finite numbers and NaN above all: one NaN makes the result a NaN.
inline uint32_t largest_magnitude_bits(const float* values, size_t count) {
  uint32_t largest = 0;
  for (size_t i = 0; i < count; ++i) {
    largest = std::max(largest, float_bits(values[i]) & ~kFp32SignBit);
  }
  return largest;
}

}  // namespace nibblecore
