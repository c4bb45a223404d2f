// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/element_rounding.hpp"

#include "model/formats/e2m1.hpp"
#include "model/formats/s1p2.hpp"

namespace nibblecore {
namespace {

constexpr std::array<ElementRounding, 4> all_roundings(const NumberFormat& element) {
  return {ElementRounding(element, Rounding::kNearestEven),
          ElementRounding(element, Rounding::kNearestAway),
          ElementRounding(element, Rounding::kNearestZero),
          ElementRounding(element, Rounding::kTowardZero)};
}

constexpr std::array<ElementRounding, 4> kE2m1Roundings = all_roundings(kE2m1Format);
constexpr std::array<ElementRounding, 4> kS1p2Roundings = all_roundings(kS1p2Format);

const ElementRounding& pick(const std::array<ElementRounding, 4>& roundings, Rounding rounding) {
  return roundings[static_cast<size_t>(rounding)];
}

}  // namespace

const ElementRounding& e2m1_rounding(Rounding rounding) { return pick(kE2m1Roundings, rounding); }

const ElementRounding& s1p2_rounding(Rounding rounding) { return pick(kS1p2Roundings, rounding); }

}  // namespace nibblecore
