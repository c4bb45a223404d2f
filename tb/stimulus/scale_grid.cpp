// SPDX-License-Identifier: Apache-2.0
#include "tb/stimulus/scale_grid.hpp"

#include <cmath>
#include <vector>

namespace nibblecore::tb {
namespace {

BlockGrid mxfp4_grid(Dice& dice, int exponent) {
  const double binade = std::ldexp(1.0, exponent);
  const double significand = dice.of<double>(
      {1, 1.25, 1.4921875, 1.5, 1.5078125, 1.625, 1.7421875, 1.75, 1.7578125, 1.9375});
  // The scale of rules that don't round it up; the others take the one above.
  return {binade / (dice.chance(0.5) ? 4 : 2), significand * binade};
}

BlockGrid hif4_grid(Dice& dice, int exponent) {
  const double scale = std::ldexp(static_cast<double>(4 + dice.between(0, 3)), exponent - 2);
  return {scale, scale * dice.of<double>({7, 7, 7, 6.5, 7.25, 7.75, 4, 2})};
}

BlockGrid nvfp4_grid(Dice& dice, int exponent) {
  // Codes of UE4M3 and the middles between two of them, over all binades.
  const auto code = static_cast<int>(dice.between(0, int64_t{2} * 0x7E));
  const int step = code / 2;
  const double half = code % 2 == 0 ? 0 : 0.5;
  const double scale =
      step < 8 ? std::ldexp(step + half, -9) : std::ldexp(8 + step % 8 + half, step / 8 - 10);
  const double placed = std::ldexp(scale, exponent);
  return {placed, 6 * placed * dice.of<double>({1, 1, 1, 1.0009765625, 0.9990234375})};
}

}  // namespace

BlockGrid random_grid(Dice& dice, const Preset& preset, int exponent) {
  const int around = exponent + static_cast<int>(dice.between(-4, 4));
  switch (preset.format.scale) {
    case ScaleKind::kE8m0:
      return mxfp4_grid(dice, around);
    case ScaleKind::kHif4:
      return hif4_grid(dice, around);
    case ScaleKind::kUe4m3:
      return nvfp4_grid(dice, exponent);
  }
  return {};
}

double random_multiple(Dice& dice, const Preset& preset) {
  const bool s1p2 = preset.format.element == ElementKind::kS1p2;
  static const std::vector<double> numbers{0, 0, 0.5, 1, 1.5, 2, 3, 4, 6};
  static const std::vector<double> ties{0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5};
  double value = 0;
  const int64_t kind = dice.between(0, 9);
  if (s1p2) {
    // Quarters, shifted by the micro-exponents.
    const double quarters = static_cast<double>(dice.between(0, 7)) + (kind < 4 ? 0 : 0.5);
    value = std::ldexp(quarters / 4, static_cast<int>(dice.between(0, 2)));
  } else {
    value = dice.of(kind < 4 ? numbers : ties);
  }
  if (kind >= 8) {
    value *= dice.chance(0.5) ? 1.0078125 : 0.9921875;
  }
  return value;
}

}  // namespace nibblecore::tb
