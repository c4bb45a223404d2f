// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "hw/channel/payload.hpp"
#include "hw/datapath/lanes.hpp"
#include "hw/datapath/simd_target.hpp"

namespace nibblecore::hw {

/// The decoders in front of the multiplier array, for one operand. HiF4's level-3 micro-exponents
/// are shifted into the elements, level 2 becomes a factor for each sum of eight.
class OperandDecoder {
 public:
  static constexpr ptrdiff_t kGroup2 = 8;  ///< elements that share a level-2 micro-exponent

  OperandDecoder(int lanes, int depth, SimdTarget target);

  /// Decodes a step's slice, its widths checked; `depth` is a multiple of the element's block.
  void decode(ElementKind element, const CodeSlice& slice);

  /// [depth] elements of the lanes 16 * group and following. Lanes beyond the operand are 0.
  const Int16Lanes* elements(ptrdiff_t group) const { return elements_.data() + group * depth_; }

  /// S1P2: [depth / 8] factors, 1 or 2, of the lanes 16 * group and following.
  const Int16Lanes* level2_factors(ptrdiff_t group) const {
    return level2_factors_.data() + group * depth_ / kGroup2;
  }

 private:
  void gather_codes(const CodeSlice& slice);
  void gather_micro_exponents(const CodeSlice& slice);

  ptrdiff_t lanes_;
  ptrdiff_t depth_;
  SimdTarget target_;
  LaneArray<Int16Lanes> words_;   ///< [lane groups, depth / 4]: four codes of each lane
  LaneArray<Int16Lanes> level2_;  ///< [lane groups, depth / 64]
  LaneArray<Int16Lanes> level3_;  ///< [lane groups, depth / 64]
  LaneArray<Int16Lanes> elements_;
  LaneArray<Int16Lanes> level2_factors_;
};

}  // namespace nibblecore::hw
