// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "hw/datapath/array_row.hpp"
#include "hw/datapath/lanes.hpp"
#include "hw/datapath/width.hpp"

namespace nibblecore::hw {

// The adder trees behind the multipliers, for a block of a row of A (DenseRow or SparseRow) and of
// 16 columns of B. Sums are exact.

/// 16 columns of B, from the block's first element on.
struct ArrayColumns {
  const Int16Lanes* elements;        ///< along K
  const Int16Lanes* level2_factors;  ///< S1P2: of each eight
};

namespace adder_tree {

inline constexpr ptrdiff_t kEight = kGroupOfLevel2;
inline constexpr ptrdiff_t kGroupsOfHalf = 4;  // of a HiF4 unit: their sum still fits 16 bits

// The decoders check their widths, so no sum on a 16-bit bus can wrap before its own check.
inline constexpr int kElementLimit = (1 << kDoubledElement.magnitude_bits) - 1;
static_assert(kShiftedElement.magnitude_bits == kDoubledElement.magnitude_bits);
static_assert(kElementLimit * kElementLimit < 1 << kProduct.magnitude_bits, "element product");
static_assert(64 * kElementLimit * kElementLimit <= INT16_MAX, "E2M1 block sum");
static_assert(4 * kGroupsOfHalf * kEight * kElementLimit * kElementLimit <= INT16_MAX,
              "half a HiF4 unit's group sums << 2");

/// `Count` products from number i on of the eight along K that begin at k, summed pairwise.
template <int Count, class Row, class Hooks>
[[gnu::always_inline]] inline void sum_products(const Row& row, const ArrayTap<Hooks>& tap,
                                                const Int16Lanes* b, ptrdiff_t k, ptrdiff_t i,
                                                Int16Lanes& sum) {
  if constexpr (Count == 1) {
    row.multiply(tap, b, k, i, sum);
  } else {
    Int16Lanes low;
    Int16Lanes high;
    sum_products<Count / 2>(row, tap, b, k, i, low);
    sum_products<Count / 2>(row, tap, b, k, i + Count / 2, high);
    sum = low + high;
  }
}

/// The products of eight elements along K: three levels of a tree for a dense row, two for 2:4.
template <class Row, class Hooks>
[[gnu::always_inline]] inline void sum_of_eight(const Row& row, const ArrayTap<Hooks>& tap,
                                                const Int16Lanes* b, ptrdiff_t k, Int16Lanes& sum) {
  sum_products<Row::kProductsOfEight>(row, tap, b, k, 0, sum);
  tap.bus(Row::kSites.group_sum, (tap.first + k) / kEight, sum);
}

}  // namespace adder_tree

/// E2M1: one sum a block.
template <int Block>
struct E2m1Tree {
  static constexpr ptrdiff_t kBlock = Block;

  template <class Row>
  static constexpr Site kBlockSum = Block == 16   ? Row::kSites.block_sum16
                                    : Block == 32 ? Row::kSites.block_sum32
                                                  : Row::kSites.block_sum64;

  template <class Row, class Hooks>
  [[gnu::always_inline]] static void sum(const Row& row, const ArrayTap<Hooks>& tap,
                                         const ArrayColumns& columns, Int32Lanes& block_sum,
                                         Int16Lanes& /*united_groups*/) {
    Int16Lanes total{};
    for (ptrdiff_t k = 0; k < kBlock; k += adder_tree::kEight) {
      Int16Lanes part;
      adder_tree::sum_of_eight(row, tap, columns.elements, k, part);
      total += part;
    }
    block_sum = __builtin_convertvector(total, Int32Lanes);
    tap.bus(kBlockSum<Row>, tap.first / kBlock, block_sum);
  }
};

/// S1P2: a sum for each group of eight, shifted by level 2 of both operands; eight of those make
/// the unit sum.
struct Hif4Tree {
  static constexpr ptrdiff_t kBlock = 64;

  template <class Row, class Hooks>
  [[gnu::always_inline]] static void sum(const Row& row, const ArrayTap<Hooks>& tap,
                                         const ArrayColumns& columns, Int32Lanes& unit_sum,
                                         Int16Lanes& united_groups) {
    Int16Lanes low;
    Int16Lanes high;
    sum_half(row, tap, columns, 0, low, united_groups);
    sum_half(row, tap, columns, adder_tree::kGroupsOfHalf, high, united_groups);
    unit_sum = __builtin_convertvector(low, Int32Lanes) + __builtin_convertvector(high, Int32Lanes);
    tap.bus(Row::kSites.unit_sum, tap.first / kBlock, unit_sum);
  }

 private:
  template <class Row, class Hooks>
  [[gnu::always_inline]] static void sum_half(const Row& row, const ArrayTap<Hooks>& tap,
                                              const ArrayColumns& columns, ptrdiff_t first_group,
                                              Int16Lanes& half_sum, Int16Lanes& united_groups) {
    half_sum = Int16Lanes{};
    for (ptrdiff_t i = 0; i < adder_tree::kGroupsOfHalf; ++i) {
      const ptrdiff_t group = first_group + i;
      Int16Lanes group_sum;
      adder_tree::sum_of_eight(row, tap, columns.elements, group * adder_tree::kEight, group_sum);
      unite_magnitudes(group_sum, united_groups);
      // Factors of 1, 2 or 4 stand for the shift by level 2 of both operands.
      Int16Lanes shifted_sum =
          group_sum * (row.level2_factor(group) * columns.level2_factors[group]);
      tap.bus(Row::kSites.shifted_sum, tap.first / adder_tree::kEight + group, shifted_sum);
      half_sum += shifted_sum;
    }
    tap.bus(Row::kSites.half_sum,
            (tap.first / adder_tree::kEight + first_group) / adder_tree::kGroupsOfHalf, half_sum);
  }
};

}  // namespace nibblecore::hw
