// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/common/error.hpp"

namespace nibblecore {

/// a * b of sizes or counts; InputError at `place` where the product leaves 64 bits.
inline int64_t checked_multiply(int64_t a, int64_t b, std::string_view place) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    throw InputError(std::string(place), "size " + std::to_string(a) + " * " + std::to_string(b) +
                                             " does not fit 64 bits");
  }
  return product;
}

/// a + b of sizes or offsets; InputError at `place` where the sum leaves 64 bits.
inline int64_t checked_add(int64_t a, int64_t b, std::string_view place) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) {
    throw InputError(std::string(place), "size " + std::to_string(a) + " + " + std::to_string(b) +
                                             " does not fit 64 bits");
  }
  return sum;
}

/// ceil(a / b) for a >= 0, b > 0.
constexpr int64_t ceil_divide(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace nibblecore
