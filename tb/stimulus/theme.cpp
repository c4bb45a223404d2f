// SPDX-License-Identifier: Apache-2.0
#include "tb/stimulus/theme.hpp"

namespace nibblecore::tb {

Theme random_theme(Dice& dice, const StimulusConstraints& constraints, const BlockFormat& format) {
  Theme theme;
  theme.range = dice.weighted<Range>(constraints.ranges);
  if (format.scale != ScaleKind::kE8m0 && theme.range != Range::kOrdinary) {
    theme.range = Range::kAny;
  }
  theme.near_powers = dice.chance(constraints.near_powers);
  if (theme.near_powers && format.scale == ScaleKind::kE8m0 && dice.chance(0.6)) {
    // Only below FP32's normal numbers do such sums end about half of a last bit.
    theme.range = Range::kUnderflow;
  }
  theme.nan = dice.chance(constraints.nan);
  theme.extremes = dice.chance(constraints.extremes);
  theme.least = dice.chance(constraints.least);
  theme.greatest = dice.chance(constraints.greatest);
  return theme;
}

}  // namespace nibblecore::tb
