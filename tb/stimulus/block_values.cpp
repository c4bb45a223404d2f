// SPDX-License-Identifier: Apache-2.0
#include "tb/stimulus/block_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/common/bits.hpp"
#include "model/common/error.hpp"
#include "model/formats/fp32.hpp"
#include "tb/stimulus/scale_grid.hpp"

namespace nibblecore::tb {
namespace {

constexpr int kGroup = 4;  // elements that share HiF4's last micro-exponent

float with_sign(Dice& dice, double magnitude) {
  const auto value = static_cast<float>(magnitude);
  return dice.chance(0.5) ? -value : value;
}

size_t place_of_maximum(Dice& dice, int count) {
  return static_cast<size_t>(dice.between(0, count - 1));
}

}  // namespace

std::vector<float> BlockValues::draw(Dice& dice, ValueStyle style, int count) const {
  switch (style) {
    case ValueStyle::kThreshold:
      return at_threshold(dice, count);
    case ValueStyle::kRandom:
      return random(dice, count);
    case ValueStyle::kZero:
      return std::vector<float>(static_cast<size_t>(count), dice.chance(0.5) ? 0.0F : -0.0F);
    case ValueStyle::kFlat:
      return flat(dice, count);
    case ValueStyle::kSpecial:
      return special(dice, count);
  }
  throw InternalError("unknown style of values");
}

std::vector<float> BlockValues::at_threshold(Dice& dice, int count) const {
  const BlockGrid grid = random_grid(dice, preset_, exponent_);
  std::vector<float> values(static_cast<size_t>(count));
  double group = 1;  // some groups are small, and have micro-exponents of their own
  for (size_t i = 0; i < values.size(); ++i) {
    if (i % kGroup == 0) {
      group = dice.of<double>({1, 1, 1, 0.5, 0.25, 0});
    }
    const double tiny = dice.chance(0.05) ? 0.0009765625 : 1;
    const double magnitude = random_multiple(dice, preset_) * grid.scale * group * tiny;
    values[i] = with_sign(dice, std::min(magnitude, grid.maximum));
  }
  values[place_of_maximum(dice, count)] = with_sign(dice, grid.maximum);
  return values;
}

std::vector<float> BlockValues::random(Dice& dice, int count) const {
  const int around = exponent_ + static_cast<int>(dice.between(-4, 4));
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) {
    const double significand = 1 + static_cast<double>(dice.bits() & 0x7FFFFF) / 0x800000;
    value =
        with_sign(dice, std::ldexp(significand, around + static_cast<int>(dice.between(-5, 3))));
  }
  return values;
}

/// Elements that round to zero and are themselves the largest multiple of a smaller scale: the
/// residual's codes are all the largest one, with one sign.
std::vector<float> BlockValues::flat(Dice& dice, int count) const {
  const bool s1p2 = preset_.format.element == ElementKind::kS1p2;
  const double scale = std::ldexp(1.0, exponent_);
  const double rest = s1p2 ? scale * 7 / 64 : scale * 0.1875;
  const double maximum = s1p2 ? scale * 7 : scale * 6;
  const float sign = dice.chance(0.5) ? -1.0F : 1.0F;
  std::vector<float> values(static_cast<size_t>(count), sign * static_cast<float>(rest));
  values[place_of_maximum(dice, count)] = with_sign(dice, maximum);
  return values;
}

std::vector<float> BlockValues::special(Dice& dice, int count) const {
  std::vector<float> values = dice.chance(0.5) ? at_threshold(dice, count) : random(dice, count);
  const uint32_t magnitude =
      dice.of<uint32_t>({kFp32Infinity, kFp32Nan, kFp32LargestFinite, 0x7F7F0000, 0x00400000,
                         0x00010000, 0x00800000, 0x00C00000, 0x01000000, 0x01400000, 1});
  if (magnitude < 0x02000000) {
    // The ends of the range are only seen where nothing larger is about.
    std::fill(values.begin(), values.end(), 0.0F);
  }
  values[place_of_maximum(dice, count)] =
      with_sign(dice, static_cast<double>(bits_float(magnitude)));
  return values;
}

}  // namespace nibblecore::tb
