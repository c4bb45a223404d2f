// SPDX-License-Identifier: Apache-2.0
#include "tb/fault/addend.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/common/bits.hpp"

namespace nibblecore::tb {
namespace {

int between(std::mt19937_64& random, int least, int most) {
  return least + static_cast<int>(random() % static_cast<uint64_t>(most - least + 1));
}

/// What is missing to half way between two numbers, or a last bit more or less.
uint32_t tie(double product, std::mt19937_64& random) {
  const auto near = static_cast<float>(product);
  const float next =
      std::nextafter(near, random() % 2 == 0 ? std::numeric_limits<float>::infinity()
                                             : -std::numeric_limits<float>::infinity());
  const double half = (static_cast<double>(near) + static_cast<double>(next)) / 2;
  const uint32_t missing = float_bits(static_cast<float>(half - product));
  return missing + (random() % 2 == 0 ? 0U : static_cast<uint32_t>(between(random, -1, 1)));
}

}  // namespace

uint32_t random_addend(double product, std::mt19937_64& random) {
  if (product == 0) {
    return static_cast<uint32_t>(random());
  }
  const int top = std::ilogb(product);
  const auto sign = static_cast<uint32_t>(random() & 0x80000000U);
  const auto of = [&](int field, uint32_t fraction) {
    return sign | (static_cast<uint32_t>(std::clamp(field, 0, 254)) << 23) | fraction;
  };
  const auto few_bits = [&] {
    const uint32_t one = 1U << (random() % 23);
    return random() % 3 == 0 ? 0U : one;
  };
  switch (random() % 5) {
    case 0:
      return float_bits(static_cast<float>(-product)) +
             static_cast<uint32_t>(between(random, -1, 1));
    case 1:
      // The product's top bit is the guard of an even number.
      return of(top + 151,
                random() % 4 == 0 ? 0x7FFFFFU : static_cast<uint32_t>(random() & 0x7FFFFE));
    case 2:
      return of(top + 127 - between(random, -2, 54), few_bits());
    case 3:
      return of(top + 127 + between(random, -30, 30), static_cast<uint32_t>(random() & 0x7FFFFF));
    default:
      return tie(product, random);
  }
}

}  // namespace nibblecore::tb
