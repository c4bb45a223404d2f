// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/formats/preset.hpp"
#include "tb/stimulus/constraints.hpp"
#include "tb/stimulus/dice.hpp"

namespace nibblecore::tb {

/// Values of one block for an online quantizer, `count` of them: all of the block, or what of it
/// lies inside K. Scales and elements come from the quantizer's own grid: on its numbers, on its
/// ties, at its thresholds.
class BlockValues {
 public:
  /// `preset` outlives it. `exponent`: about which the numbers of the whole operand lie.
  BlockValues(const Preset& preset, int exponent) : preset_(preset), exponent_(exponent) {}

  std::vector<float> draw(Dice& dice, ValueStyle style, int count) const;

 private:
  std::vector<float> at_threshold(Dice& dice, int count) const;
  std::vector<float> random(Dice& dice, int count) const;
  std::vector<float> flat(Dice& dice, int count) const;
  std::vector<float> special(Dice& dice, int count) const;

  const Preset& preset_;
  int exponent_;
};

}  // namespace nibblecore::tb
