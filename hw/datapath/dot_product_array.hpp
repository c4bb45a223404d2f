// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/channel/payload.hpp"
#include "hw/datapath/operand_decoder.hpp"
#include "hw/datapath/simd_target.hpp"

namespace nibblecore::hw {

/// The multiplier array with its adder trees: rows x columns lanes of `depth` products each.
///
/// E2M1: doubled integers, products within 144, one sum a block. S1P2 (arXiv 2602.11287, section
/// III.B): level 3 is shifted into the element, products within 196 are summed by eights, level 2
/// of both operands shifts each group sum by 0..2, eight groups make the unit sum. Everything is
/// exact; widths are declared in width.hpp and checked at every step.
class DotProductArray {
 public:
  explicit DotProductArray(const CoreDescription& core, SimdTarget target = best_simd_target());

  /// Block sums of one step; `format` decides the element and the block.
  void multiply(const BlockFormat& format, const CodeSlice& a, const CodeSlice& b,
                BlockSums& result);

 private:
  CoreDescription core_;
  SimdTarget target_;
  OperandDecoder a_;
  OperandDecoder b_;
};

}  // namespace nibblecore::hw
