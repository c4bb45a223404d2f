// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "hw/channel/payload.hpp"
#include "hw/datapath/lane_words.hpp"
#include "hw/datapath/lanes.hpp"
#include "hw/datapath/simd_target.hpp"
#include "hw/datapath/taps.hpp"

namespace nibblecore::hw {

/// Elements that 2:4 keeps of eight.
inline constexpr ptrdiff_t kKeptOfEight = 4;

/// The decoders of a 2:4 operand: kept elements, and for each of them what its multiplexer selects
/// of the other operand's quad. Micro-exponents act as in OperandDecoder; both kept elements of a
/// quad share its level 3, the four of two quads their level 2.
template <class Hooks>
class BasicSparseDecoder {
 public:
  /// For SparseLanes(lanes, k).
  BasicSparseDecoder(int lanes, int k, SimdTarget target, Hooks hooks = Hooks());

  /// Decodes what is kept of the first `active` elements along K of every lane, whole blocks of
  /// them; widths are checked.
  void decode(ElementKind element, const SparseLanes& operand, ptrdiff_t active);

  /// [k / 2] kept elements of the lanes 16 * group and following. Lanes beyond the operand are 0.
  const Int16Lanes* elements(ptrdiff_t group) const { return elements_.data() + group * k_ / 2; }

  /// [k / 2] positions within the quad, 0 to 3, of those.
  const Int16Lanes* selects(ptrdiff_t group) const { return selects_.data() + group * k_ / 2; }

  /// S1P2: [k / 8] factors, 1 or 2, of the lanes 16 * group and following.
  const Int16Lanes* level2_factors(ptrdiff_t group) const {
    return level2_factors_.data() + group * k_ / 8;
  }

 private:
  int lanes_;
  ptrdiff_t lane_groups_;
  ptrdiff_t k_;
  SimdTarget target_;
  Hooks hooks_;
  LaneWords<uint16_t> codes_;    ///< [k / 8]: four kept codes of each lane
  LaneWords<uint16_t> indices_;  ///< [k / 16]: of the eight that two words of codes hold
  LaneWords<uint8_t> level2_;
  LaneWords<uint16_t> level3_;
  LaneArray<Int16Lanes> elements_;
  LaneArray<Int16Lanes> selects_;
  LaneArray<Int16Lanes> level2_factors_;
};

extern template class BasicSparseDecoder<NoHooks>;
extern template class BasicSparseDecoder<ProbeHooks>;

using SparseDecoder = BasicSparseDecoder<NoHooks>;

}  // namespace nibblecore::hw
