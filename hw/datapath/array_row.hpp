// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "hw/datapath/lanes.hpp"
#include "hw/datapath/operand_decoder.hpp"
#include "hw/datapath/sparse_decoder.hpp"
#include "hw/datapath/taps.hpp"

namespace nibblecore::hw {

// A row of A from element `first` along K on, dense or 2:4, at the multipliers of 16 columns. Both
// take `k`, the first of eight elements along K from there, and of what A holds of those the number
// `i`.

/// Buses behind the multipliers of one kind of row.
struct TreeSites {
  Site group_sum;
  Site shifted_sum;
  Site half_sum;
  Site block_sum16;
  Site block_sum32;
  Site block_sum64;
  Site unit_sum;
};

class DenseRow {
 public:
  static constexpr int kProductsOfEight = 8;
  static constexpr TreeSites kSites{Site::kGroupSum,   Site::kShiftedSum, Site::kHalfSum,
                                    Site::kBlockSum16, Site::kBlockSum32, Site::kBlockSum64,
                                    Site::kUnitSum};

  template <class Hooks>
  [[gnu::always_inline]] DenseRow(const BasicOperandDecoder<Hooks>& a, ptrdiff_t row,
                                  ptrdiff_t first)
      : elements_(a.elements(row / kLanes) + first),
        level2_factors_(a.level2_factors(row / kLanes) + first / 8),
        lane_(row % kLanes) {}

  /// A's element times B's at the same place; `b` begins at `first` too.
  template <class Hooks>
  [[gnu::always_inline]] void multiply(const ArrayTap<Hooks>& tap, const Int16Lanes* b, ptrdiff_t k,
                                       ptrdiff_t i, Int16Lanes& product) const {
    const int16_t element = elements_[k + i][lane_];
    product = element * b[k + i];
    tap.bus(Site::kProduct, tap.first + k + i, product);
  }

  [[gnu::always_inline]] int16_t level2_factor(ptrdiff_t group) const {
    return level2_factors_[group][lane_];
  }

 private:
  const Int16Lanes* elements_;
  const Int16Lanes* level2_factors_;
  ptrdiff_t lane_;
};

class SparseRow {
 public:
  static constexpr int kProductsOfEight = kKeptOfEight;
  static constexpr TreeSites kSites{Site::kResidualGroupSum,   Site::kResidualShiftedSum,
                                    Site::kResidualHalfSum,    Site::kResidualBlockSum16,
                                    Site::kResidualBlockSum32, Site::kResidualBlockSum64,
                                    Site::kResidualUnitSum};

  template <class Hooks>
  [[gnu::always_inline]] SparseRow(const BasicSparseDecoder<Hooks>& a, ptrdiff_t row,
                                   ptrdiff_t first)
      : elements_(a.elements(row / kLanes) + first / 2),
        selects_(a.selects(row / kLanes) + first / 2),
        level2_factors_(a.level2_factors(row / kLanes) + first / 8),
        lane_(row % kLanes) {}

  /// A's kept element times the one that the multiplexer gathers from B's quad.
  template <class Hooks>
  [[gnu::always_inline]] void multiply(const ArrayTap<Hooks>& tap, const Int16Lanes* b, ptrdiff_t k,
                                       ptrdiff_t i, Int16Lanes& product) const {
    const ptrdiff_t kept = k / 2 + i;
    const int16_t element = elements_[kept][lane_];
    const ptrdiff_t select = selects_[kept][lane_];
    Int16Lanes gathered = b[k + i / 2 * 4 + select];
    tap.bus(Site::kGathered, tap.first / 2 + kept, gathered);
    product = element * gathered;
    tap.bus(Site::kResidualProduct, tap.first / 2 + kept, product);
  }

  [[gnu::always_inline]] int16_t level2_factor(ptrdiff_t group) const {
    return level2_factors_[group][lane_];
  }

 private:
  const Int16Lanes* elements_;
  const Int16Lanes* selects_;
  const Int16Lanes* level2_factors_;
  ptrdiff_t lane_;
};

}  // namespace nibblecore::hw
