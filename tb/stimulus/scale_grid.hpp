// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/formats/preset.hpp"
#include "tb/stimulus/dice.hpp"

namespace nibblecore::tb {

/// What a block is built on: its scale, and the magnitude that makes the quantizer choose it.
struct BlockGrid {
  double scale;
  double maximum;
};

/// A scale of the preset's format about 2^exponent, and a maximum at or about a threshold of its
/// rule. Either may lie beyond what the format holds.
BlockGrid random_grid(Dice& dice, const Preset& preset, int exponent);

/// A magnitude in scales: on a number of the element format, on a tie, or beside one.
double random_multiple(Dice& dice, const Preset& preset);

}  // namespace nibblecore::tb
