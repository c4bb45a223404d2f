// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/emulate/node_bounds.hpp"
#include "model/formats/accumulation.hpp"

namespace nibblecore {

/// What tells the policies that truncate from one another (docs/numerics.md). Exponents of terms
/// are kept as powers of two.
struct TruncatingRule {
  int width;          ///< elements of K in a node
  int group;          ///< products that are summed before they are aligned: a term
  int fraction_bits;  ///< that an aligned term keeps below the largest exponent
  double zero_power;  ///< of an accumulator that is zero
  bool zero_terms;    ///< whether `zero_power` holds for terms whose products are all zero as well
  double zero_scale_power;  ///< of a scale that is zero; 0: it makes the term a zero one
  bool keeps_minus;         ///< whether a negative sum that is cut to zero is -0

  /// How far exponents may differ before a bit can be lost: those of two blocks by `spread`, and an
  /// accumulator within `bounds` of the blocks'.
  BoundsRule bounds;
  int spread;
};

/// The rule of a policy that truncates, for scales of this kind.
TruncatingRule truncating_rule(Accumulation policy, ScaleKind kind);

/// Marks an output whose truncation is not to be told: NaN, or an accumulator that was not finite
/// from the start.
inline constexpr uint8_t kUntold = 0x80;

}  // namespace nibblecore
