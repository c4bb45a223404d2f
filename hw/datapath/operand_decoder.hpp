// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "hw/channel/payload.hpp"
#include "hw/datapath/lane_words.hpp"
#include "hw/datapath/lanes.hpp"
#include "hw/datapath/simd_target.hpp"
#include "hw/datapath/taps.hpp"

namespace nibblecore::hw {

/// Elements that share a level-2 micro-exponent.
inline constexpr ptrdiff_t kGroupOfLevel2 = 8;

/// The buses of an operand's decoders.
struct DecoderSites {
  Site code;
  Site level2;
  Site level3;
  Site element;
};
inline constexpr DecoderSites kADecoderSites{Site::kACode, Site::kALevel2, Site::kALevel3,
                                             Site::kAElement};
inline constexpr DecoderSites kBDecoderSites{Site::kBCode, Site::kBLevel2, Site::kBLevel3,
                                             Site::kBElement};

/// The decoders in front of the multiplier array, for one operand. HiF4's level-3 micro-exponents
/// are shifted into the elements, level 2 becomes a factor for each sum of eight.
template <class Hooks>
class BasicOperandDecoder {
 public:
  /// For CodeLanes(lanes, k).
  BasicOperandDecoder(int lanes, int k, SimdTarget target,
                      const DecoderSites& sites = kADecoderSites, Hooks hooks = Hooks());

  /// Decodes the first `active` elements of every lane, whole blocks of them; widths are checked.
  void decode(ElementKind element, const CodeLanes& operand, ptrdiff_t active);

  /// [k] elements of the lanes 16 * group and following. Lanes beyond the operand are 0.
  const Int16Lanes* elements(ptrdiff_t group) const { return elements_.data() + group * k_; }

  /// S1P2: [k / 8] factors, 1 or 2, of the lanes 16 * group and following.
  const Int16Lanes* level2_factors(ptrdiff_t group) const {
    return level2_factors_.data() + group * k_ / kGroupOfLevel2;
  }

 private:
  int lanes_;
  ptrdiff_t lane_groups_;
  ptrdiff_t k_;
  SimdTarget target_;
  DecoderSites sites_;
  Hooks hooks_;
  LaneWords<uint16_t> codes_;  ///< [k / 4]: four codes of each lane
  LaneWords<uint8_t> level2_;
  LaneWords<uint16_t> level3_;
  LaneArray<Int16Lanes> elements_;
  LaneArray<Int16Lanes> level2_factors_;
};

extern template class BasicOperandDecoder<NoHooks>;
extern template class BasicOperandDecoder<ProbeHooks>;

using OperandDecoder = BasicOperandDecoder<NoHooks>;

}  // namespace nibblecore::hw
