// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/element_rounding.hpp"

#include "model/formats/e2m1.hpp"
#include "model/formats/s1p2.hpp"

namespace nibblecore {
namespace {

constexpr std::array<ElementRounding, 5> all_roundings(const NumberFormat& element) {
  return {ElementRounding(element, Rounding::kNearestEven),
          ElementRounding(element, Rounding::kNearestAway),
          ElementRounding(element, Rounding::kNearestZero),
          ElementRounding(element, Rounding::kTowardZero),
          ElementRounding(element, Rounding::kStochastic)};
}

constexpr std::array<ElementRounding, 5> kE2m1Roundings = all_roundings(kE2m1Format);
constexpr std::array<ElementRounding, 5> kS1p2Roundings = all_roundings(kS1p2Format);

const ElementRounding& pick(const std::array<ElementRounding, 5>& roundings, Rounding rounding) {
  return roundings[static_cast<size_t>(rounding)];
}

}  // namespace

uint8_t ElementRounding::stochastic_code(double magnitude, uint16_t random) const {
  const uint8_t lower = code(magnitude);
  if (lower == kLimits || !(magnitude > values_[lower])) {
    return lower;
  }
  const double part = (magnitude - values_[lower]) / (values_[lower + 1U] - values_[lower]);
  return static_cast<uint8_t>(lower + ((static_cast<uint32_t>(part * 0x1p16) + random) >> 16));
}

const ElementRounding& e2m1_rounding(Rounding rounding) { return pick(kE2m1Roundings, rounding); }

const ElementRounding& s1p2_rounding(Rounding rounding) { return pick(kS1p2Roundings, rounding); }

}  // namespace nibblecore
