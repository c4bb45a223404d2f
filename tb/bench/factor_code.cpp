// SPDX-License-Identifier: Apache-2.0
#include "tb/bench/factor_code.hpp"

#include <cmath>

#include <fmt/format.h>

#include "model/common/error.hpp"

namespace nibblecore::tb {

uint16_t factor_code(float factor) {
  constexpr int kLeastExponent = -14;  // of a normal number
  constexpr int kFractionBits = 10;
  constexpr float kLargest = 65504.0F;
  if (factor > 0 && factor <= kLargest) {
    const int exponent = std::max(std::ilogb(factor), kLeastExponent);
    const float significand = std::ldexp(factor, kFractionBits - exponent);
    const auto integer = static_cast<uint32_t>(significand);
    if (integer != 0 && static_cast<float>(integer) == significand) {
      // The hidden bit of a normal number adds one to the field.
      return static_cast<uint16_t>(
          (static_cast<uint32_t>(exponent - kLeastExponent) << kFractionBits) + integer);
    }
  }
  throw InputError("factor of a macro block",
                   fmt::format("{} is no positive finite FP16 number", factor));
}

}  // namespace nibblecore::tb
