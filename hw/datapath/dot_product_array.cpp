// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/dot_product_array.hpp"

#include <cstddef>
#include <cstring>

#include "hw/datapath/simd_dispatch.hpp"
#include "hw/datapath/width.hpp"

namespace nibblecore::hw {
namespace {

constexpr ptrdiff_t kGroup2 = OperandDecoder::kGroup2;

// The decoders check their widths, so no sum on a 16-bit bus can wrap before its own check.
constexpr int kElementLimit = (1 << kDoubledElement.magnitude_bits) - 1;
static_assert(kShiftedElement.magnitude_bits == kDoubledElement.magnitude_bits);
static_assert(64 * kElementLimit * kElementLimit <= INT16_MAX, "E2M1 block sum");
static_assert(4 * kGroup2 * kElementLimit * kElementLimit <= INT16_MAX, "HiF4 group sum << 2");

/// A row of A and 16 columns of B.
struct Operands {
  ptrdiff_t row;               ///< within its lane group
  const Int16Lanes* a;         ///< [depth], the row's lane group
  const Int16Lanes* b;         ///< [depth]
  const Int16Lanes* a_level2;  ///< [depth / 8]
  const Int16Lanes* b_level2;  ///< [depth / 8]
};

/// The first three levels of an adder tree: eight products a lane, from element k on.
[[gnu::always_inline]] inline void sum_of_eight(const Operands& operands, ptrdiff_t k,
                                                Int16Lanes& sum) {
  const Int16Lanes* a = operands.a + k;
  const Int16Lanes* b = operands.b + k;
  const ptrdiff_t row = operands.row;
  sum = ((a[0][row] * b[0] + a[1][row] * b[1]) + (a[2][row] * b[2] + a[3][row] * b[3])) +
        ((a[4][row] * b[4] + a[5][row] * b[5]) + (a[6][row] * b[6] + a[7][row] * b[7]));
}

template <int Block>
struct E2m1Tree {
  static constexpr ptrdiff_t kBlock = Block;

  [[gnu::always_inline]] static void sum(const Operands& operands, ptrdiff_t first,
                                         Int32Lanes& block_sum, Int16Lanes& /*united_groups*/) {
    Int16Lanes total{};
    for (ptrdiff_t k = first; k < first + kBlock; k += kGroup2) {
      Int16Lanes part;
      sum_of_eight(operands, k, part);
      total += part;
    }
    block_sum = __builtin_convertvector(total, Int32Lanes);
  }
};

struct Hif4Tree {
  static constexpr ptrdiff_t kBlock = 64;

  [[gnu::always_inline]] static void sum(const Operands& operands, ptrdiff_t first,
                                         Int32Lanes& unit_sum, Int16Lanes& united_groups) {
    unit_sum = Int32Lanes{};
    for (ptrdiff_t group = first / kGroup2; group < (first + kBlock) / kGroup2; ++group) {
      Int16Lanes part;
      sum_of_eight(operands, group * kGroup2, part);
      unite_magnitudes(part, united_groups);
      // Factors of 1, 2 or 4 stand for the shift by level 2 of both operands.
      part *= operands.a_level2[group][operands.row] * operands.b_level2[group];
      unit_sum += __builtin_convertvector(part, Int32Lanes);
    }
  }
};

struct Step {
  const CoreDescription& core;
  const OperandDecoder& a;
  const OperandDecoder& b;
  int32_t* sums;  ///< [blocks, rows, padded columns]
};

/// OR of the magnitudes on the buses behind the multipliers.
struct Widths {
  uint32_t groups;
  uint32_t blocks;
};

template <class Tree>
struct MultiplyStep {
  [[gnu::always_inline]] static Widths run(const Step& step) {
    Int16Lanes united_groups{};
    Int32Lanes united_blocks{};
    int32_t* out = step.sums;
    for (ptrdiff_t first = 0; first < step.core.depth; first += Tree::kBlock) {
      for (ptrdiff_t row = 0; row < step.core.rows; ++row) {
        for (ptrdiff_t column = 0; column < step.core.columns; column += kLanes, out += kLanes) {
          const ptrdiff_t a = row / kLanes;
          const ptrdiff_t b = column / kLanes;
          const Operands operands{row % kLanes, step.a.elements(a), step.b.elements(b),
                                  step.a.level2_factors(a), step.b.level2_factors(b)};
          Int32Lanes sum;
          Tree::sum(operands, first, sum, united_groups);
          unite_magnitudes(sum, united_blocks);
          std::memcpy(out, &sum, sizeof sum);
        }
      }
    }
    return {united_lanes(united_groups), united_lanes(united_blocks)};
  }
};

}  // namespace

DotProductArray::DotProductArray(const CoreDescription& core, SimdTarget target)
    : core_(core),
      target_(target),
      a_(core.rows, core.depth, target),
      b_(core.columns, core.depth, target) {}

void DotProductArray::multiply(const BlockFormat& format, const CodeSlice& a, const CodeSlice& b,
                               BlockSums& result) {
  a_.decode(format.element, a);
  b_.decode(format.element, b);
  const Step step{core_, a_, b_, result.sums.data()};
  if (format.element == ElementKind::kS1p2) {
    const Widths widths = run_on<MultiplyStep<Hif4Tree>>(target_, step);
    require_united_width(kGroupSum, widths.groups);
    require_united_width(kUnitSum, widths.blocks);
  } else if (format.block == 16) {
    require_united_width(kBlockSum16, run_on<MultiplyStep<E2m1Tree<16>>>(target_, step).blocks);
  } else if (format.block == 32) {
    require_united_width(kBlockSum32, run_on<MultiplyStep<E2m1Tree<32>>>(target_, step).blocks);
  } else {
    require_united_width(kBlockSum64, run_on<MultiplyStep<E2m1Tree<64>>>(target_, step).blocks);
  }
}

}  // namespace nibblecore::hw
