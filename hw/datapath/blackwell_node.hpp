// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw/datapath/simd_target.hpp"
#include "hw/datapath/taps.hpp"
#include "model/formats/accumulation.hpp"
#include "model/formats/block_format.hpp"

namespace nibblecore::hw {

// The accumulator's other adder, of the policies `blackwell` and `blackwell-v1` (MMA-Sim's
// published model of NVIDIA's block-scaled FP4 MMA): up to four groups of 16 and the accumulator in
// one node. All are aligned to the greatest exponent among them, none of them normalised, and
// truncated 35 places below it; their sum is exact, and truncated once.

inline constexpr int kNodeGroups = 4;
inline constexpr uint32_t kNodeNan = 0x7FFFFFFF;

/// How a node treats zeros, and what its terms count; a job's constants.
struct NodeRule {
  int32_t unit_bits;       ///< a term counts 2^(alignment exponent - unit_bits)
  int32_t start_exponent;  ///< of an accumulator that is zero
  uint32_t zero_products;  ///< all bits: a group without a product takes the least exponent
  uint32_t zero_sign;      ///< all bits: a negative sum that truncates to zero stays negative
};

/// InternalError for another policy than those two.
NodeRule node_rule(Accumulation accumulation, const BlockFormat& format);

/// What an array of nodes takes in, beside its accumulators.
struct NodeInputs {
  size_t outputs;               ///< a multiple of kLanes
  int groups;                   ///< 1 to kNodeGroups; others do not take part
  int groups_of_block;          ///< that share a scale
  const int32_t* sums;          ///< [groups, outputs], of 16 products
  const int32_t* nonzero;       ///< [groups, outputs], 0 where all products are zero
  const int32_t* significands;  ///< [blocks, outputs]
  const int32_t* exponents;     ///< [blocks, outputs], of what a term counts
  const int32_t* nan;           ///< [blocks, outputs], not 0: the result is NaN
};

/// One node an output: accumulators[i] becomes their truncated sum. Subnormals are kept; overflow
/// gives infinity; an infinite accumulator stays; a NaN becomes 0x7FFFFFFF; an exact zero is +0.
/// Widths are checked.
template <class Hooks>
void accumulate_nodes(SimdTarget target, const NodeRule& rule, const NodeInputs& inputs,
                      uint32_t* accumulators, const OutputTap<Hooks>& tap);

extern template void accumulate_nodes(SimdTarget, const NodeRule&, const NodeInputs&, uint32_t*,
                                      const OutputTap<NoHooks>&);
extern template void accumulate_nodes(SimdTarget, const NodeRule&, const NodeInputs&, uint32_t*,
                                      const OutputTap<ProbeHooks>&);

inline void accumulate_nodes(SimdTarget target, const NodeRule& rule, const NodeInputs& inputs,
                             uint32_t* accumulators) {
  accumulate_nodes(target, rule, inputs, accumulators, OutputTap<NoHooks>{});
}

}  // namespace nibblecore::hw
