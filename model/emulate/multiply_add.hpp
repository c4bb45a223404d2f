// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfloat>
#include <cstdint>
#include <cstring>

namespace nibblecore {

static_assert(FLT_EVAL_METHOD == 0, "every operation must round to its own type");

/// RNE_FP32(x * y + z), the std::fma of FP32, of nothing but additions, multiplications and integer
/// operations: compilers make vectors of a loop of these without a fused instruction.
///
/// The product is exact in FP64. `error` is what the FP64 sum has lost, exactly (Knuth's TwoSum;
/// the exponents of FP32 numbers and their products lie deep within FP64's). Where something is
/// lost the sum is taken to odd: cut off toward zero to 53 bits, the last of them set. Having at
/// least two bits more than FP32 that lies on the same side of every FP32 number and every midpoint
/// as the exact sum, so the cast rounds alike. An infinity or a NaN has lost nothing.
inline float multiply_add(float x, float y, float z) {
  const double product = double{x} * double{y};
  const double addend = z;
  const double sum = product + addend;
  const double added = sum - product;
  const double error = (product - (sum - added)) + (addend - added);
  uint64_t bits = 0;
  uint64_t error_bits = 0;
  std::memcpy(&bits, &sum, sizeof bits);
  std::memcpy(&error_bits, &error, sizeof error_bits);
  const uint64_t magnitude = error_bits << 1;
  const uint64_t not_zero = (magnitude | (0 - magnitude)) >> 63;
  const uint64_t not_finite = ((bits & 0x7FF0000000000000) + 0x0010000000000000) >> 63;
  const uint64_t lost = not_zero & ~not_finite;
  // Where the error points back to zero the sum was rounded away from it.
  const uint64_t away = ((bits ^ error_bits) >> 63) & lost;
  bits = (bits - away) | lost;
  double odd = 0;
  std::memcpy(&odd, &bits, sizeof odd);
  return static_cast<float>(odd);
}

}  // namespace nibblecore
