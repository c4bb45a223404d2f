// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/datapath/hooks.hpp"
#include "hw/datapath/lanes.hpp"
#include "hw/datapath/operand_decoder.hpp"
#include "hw/datapath/simd_target.hpp"

namespace nibblecore::hw {

// Beside the adder trees: which groups of 16 along K have a product that is not zero. A product is
// zero where one of its elements is, so the detector takes a bit an element, behind the decoders.

/// Elements of such a group.
inline constexpr int kSixteen = 16;

/// One operand's elements that are not zero: of every lane a word for each 16 of K, bit i for
/// element i.
class NonzeroWords {
 public:
  NonzeroWords(int lanes, int k);

  /// The first `sixteens` words of every lane.
  template <class Hooks>
  void gather(SimdTarget target, const BasicOperandDecoder<Hooks>& operand, ptrdiff_t sixteens);

  /// [k / 16] of the lanes 16 * group and following. Lanes beyond the operand are 0.
  const Int16Lanes* words(ptrdiff_t group) const { return words_.data() + group * k_ / kSixteen; }

 private:
  ptrdiff_t lane_groups_;
  ptrdiff_t k_;
  LaneArray<Int16Lanes> words_;
};

template <class Hooks>
struct NonzeroGroups {
  ptrdiff_t rows;
  ptrdiff_t columns;
  ptrdiff_t sixteens;
  const NonzeroWords& a;
  const NonzeroWords& b;
  int32_t* nonzero;  ///< [sixteens, rows, padded columns], 0 or 1
  Hooks hooks;
};

/// Whether any product of each group, row and column is not zero.
template <class Hooks>
void find_nonzero_groups(SimdTarget target, const NonzeroGroups<Hooks>& groups);

}  // namespace nibblecore::hw
