// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/dot_product_array.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "hw/datapath/adder_tree.hpp"
#include "hw/datapath/array_row.hpp"
#include "hw/datapath/simd_dispatch.hpp"
#include "hw/datapath/step_blocks.hpp"
#include "hw/datapath/width.hpp"
#include "model/common/error.hpp"

namespace nibblecore::hw {
namespace {

/// The blocks that one kind of row takes in.
template <class Decoder, class Hooks>
struct Part {
  ptrdiff_t rows;
  ptrdiff_t columns;
  ptrdiff_t blocks;
  const Decoder& a;
  const BasicOperandDecoder<Hooks>& b;
  int32_t* sums;  ///< [blocks, rows, padded columns]
  Hooks hooks;
};

template <class Hooks>
using DensePart = Part<BasicOperandDecoder<Hooks>, Hooks>;
template <class Hooks>
using SparsePart = Part<BasicSparseDecoder<Hooks>, Hooks>;

template <class Hooks>
[[gnu::always_inline]] inline DenseRow row_of(const BasicOperandDecoder<Hooks>& a, ptrdiff_t row,
                                              ptrdiff_t first) {
  return {a, row, first};
}
template <class Hooks>
[[gnu::always_inline]] inline SparseRow row_of(const BasicSparseDecoder<Hooks>& a, ptrdiff_t row,
                                               ptrdiff_t first) {
  return {a, row, first};
}

/// OR of the magnitudes on the buses behind the multipliers.
struct Widths {
  uint32_t groups;
  uint32_t blocks;
};

template <class Tree>
struct MultiplyPart {
  template <class Decoder, class Hooks>
  [[gnu::always_inline]] static Widths run(const Part<Decoder, Hooks>& part) {
    Int16Lanes united_groups{};
    Int32Lanes united_blocks{};
    int32_t* out = part.sums;
    for (ptrdiff_t block = 0; block < part.blocks; ++block) {
      const ptrdiff_t first = block * Tree::kBlock;
      for (ptrdiff_t i = 0; i < part.rows; ++i) {
        const auto row = row_of(part.a, i, first);
        for (ptrdiff_t column = 0; column < part.columns; column += kLanes, out += kLanes) {
          const ptrdiff_t group = column / kLanes;
          const ArrayColumns columns{part.b.elements(group) + first,
                                     part.b.level2_factors(group) + first / kGroupOfLevel2};
          const ArrayTap<Hooks> tap{part.hooks, part.rows, part.columns, i, column, first};
          Int32Lanes sum;
          Tree::sum(row, tap, columns, sum, united_groups);
          unite_magnitudes(sum, united_blocks);
          std::memcpy(out, &sum, sizeof sum);
        }
      }
    }
    return {united_lanes(united_groups), united_lanes(united_blocks)};
  }
};

/// The buses behind the multipliers of one kind of row.
struct PartBuses {
  const Bus& group_sum;
  const Bus& unit_sum;
  const Bus& block_sum16;
  const Bus& block_sum32;
  const Bus& block_sum64;
};

constexpr PartBuses kDenseBuses{kGroupSum, kUnitSum, kBlockSum16, kBlockSum32, kBlockSum64};
constexpr PartBuses kSparseBuses{kSparseGroupSum, kSparseUnitSum, kSparseBlockSum16,
                                 kSparseBlockSum32, kSparseBlockSum64};

template <class Decoder, class Hooks>
void multiply_part(const BlockFormat& format, SimdTarget target, const PartBuses& buses,
                   const Part<Decoder, Hooks>& part) {
  if (format.element == ElementKind::kS1p2) {
    const Widths widths = run_on<MultiplyPart<Hif4Tree>>(target, part);
    require_united_width(buses.group_sum, widths.groups);
    require_united_width(buses.unit_sum, widths.blocks);
  } else if (format.block == 16) {
    require_united_width(buses.block_sum16,
                         run_on<MultiplyPart<E2m1Tree<16>>>(target, part).blocks);
  } else if (format.block == 32) {
    require_united_width(buses.block_sum32,
                         run_on<MultiplyPart<E2m1Tree<32>>>(target, part).blocks);
  } else {
    require_united_width(buses.block_sum64,
                         run_on<MultiplyPart<E2m1Tree<64>>>(target, part).blocks);
  }
}

}  // namespace

template <class Hooks>
BasicDotProductArray<Hooks>::BasicDotProductArray(const CoreDescription& core, SimdTarget target,
                                                  Hooks hooks)
    : core_(core),
      target_(target),
      hooks_(hooks),
      a_dense_(core.rows, core.depth, target, kADecoderSites, hooks),
      a_sparse_(core.rows, 2 * core.depth, target, hooks),
      b_(core.columns, 2 * core.depth, target, kBDecoderSites, hooks),
      a_nonzero_(core.rows, core.depth),
      b_nonzero_(core.columns, core.depth) {}

template <class Hooks>
void BasicDotProductArray<Hooks>::multiply(const BlockFormat& format, const ASlice& a,
                                           const BSlice& b, BlockSums& result, SumLength length) {
  const StepBlocks blocks = step_blocks(a.tag, core_.depth / format.block);
  const ptrdiff_t block = format.block;
  if (length == SumLength::kSixteen) {
    multiply_sixteens(format, blocks, a, b, result);
    return;
  }
  b_.decode(format.element, b.dense, block * std::max(blocks.dense, blocks.sparse));
  int32_t* sums = result.sums.data();
  if (blocks.dense > 0) {
    a_dense_.decode(format.element, a.dense, block * blocks.dense);
    multiply_part(
        format, target_, kDenseBuses,
        DensePart<Hooks>{core_.rows, core_.columns, blocks.dense, a_dense_, b_, sums, hooks_});
    sums += ptrdiff_t{blocks.dense} * core_.rows * padded_lanes(core_.columns);
  }
  if (blocks.sparse > 0) {
    a_sparse_.decode(format.element, a.sparse, block * blocks.sparse);
    multiply_part(
        format, target_, kSparseBuses,
        SparsePart<Hooks>{core_.rows, core_.columns, blocks.sparse, a_sparse_, b_, sums, hooks_});
  }
}

template <class Hooks>
void BasicDotProductArray<Hooks>::multiply_sixteens(const BlockFormat& format,
                                                    const StepBlocks& blocks, const ASlice& a,
                                                    const BSlice& b, BlockSums& result) {
  if (format.element != ElementKind::kE2m1 || blocks.sparse > 0) {
    throw InternalError("sums of 16 are those of dense steps of E2M1");
  }
  const ptrdiff_t k = ptrdiff_t{format.block} * blocks.dense;
  const ptrdiff_t sixteens = k / kSixteen;
  a_dense_.decode(format.element, a.dense, k);
  b_.decode(format.element, b.dense, k);
  require_united_width(
      kBlockSum16, run_on<MultiplyPart<E2m1Tree<kSixteen>>>(
                       target_, DensePart<Hooks>{core_.rows, core_.columns, sixteens, a_dense_, b_,
                                                 result.sums.data(), hooks_})
                       .blocks);
  a_nonzero_.gather(target_, a_dense_, sixteens);
  b_nonzero_.gather(target_, b_, sixteens);
  find_nonzero_groups(target_, NonzeroGroups<Hooks>{core_.rows, core_.columns, sixteens, a_nonzero_,
                                                    b_nonzero_, result.nonzero.data(), hooks_});
}

template class BasicDotProductArray<NoHooks>;
template class BasicDotProductArray<ProbeHooks>;

}  // namespace nibblecore::hw
