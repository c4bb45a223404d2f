// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/channel/payload.hpp"
#include "hw/datapath/nonzero_groups.hpp"
#include "hw/datapath/operand_decoder.hpp"
#include "hw/datapath/simd_target.hpp"
#include "hw/datapath/sparse_decoder.hpp"
#include "hw/datapath/step_blocks.hpp"

namespace nibblecore::hw {

/// The multiplier array with its adder trees: rows x columns lanes of `depth` products each, and
/// the 2:4 lanes: two products a quad, B's elements chosen by a multiplexer before each multiplier,
/// over 2 x depth of K in the array's own multipliers or over depth of K in lanes beside them.
///
/// E2M1: doubled integers, products within 144, one sum a block. S1P2 (arXiv 2602.11287, section
/// III.B): level 3 is shifted into the element, products within 196 are summed by eights along K,
/// level 2 of both operands shifts each group sum by 0..2, eight groups make the unit sum.
/// Everything is exact; widths are declared in width.hpp and checked at every step.
template <class Hooks>
class BasicDotProductArray {
 public:
  explicit BasicDotProductArray(const CoreDescription& core, SimdTarget target = best_simd_target(),
                                Hooks hooks = Hooks());

  /// Block sums of one step. What is multiplied, and how many blocks of it, follows from the tag of
  /// `a`; `format` decides the element and the block. Sums of masked blocks are not written.
  /// InternalError where the tag's counts don't go with its kind.
  ///
  /// SumLength::kSixteen, for dense steps of E2M1 alone: sums of 16, and whether each has a product
  /// that is not zero.
  void multiply(const BlockFormat& format, const ASlice& a, const BSlice& b, BlockSums& result,
                SumLength length = SumLength::kBlock);

 private:
  void multiply_sixteens(const BlockFormat& format, const StepBlocks& blocks, const ASlice& a,
                         const BSlice& b, BlockSums& result);

  CoreDescription core_;
  SimdTarget target_;
  Hooks hooks_;
  BasicOperandDecoder<Hooks> a_dense_;
  BasicSparseDecoder<Hooks> a_sparse_;
  BasicOperandDecoder<Hooks> b_;
  NonzeroWords a_nonzero_;
  NonzeroWords b_nonzero_;
};

extern template class BasicDotProductArray<NoHooks>;
extern template class BasicDotProductArray<ProbeHooks>;

using DotProductArray = BasicDotProductArray<NoHooks>;

}  // namespace nibblecore::hw
