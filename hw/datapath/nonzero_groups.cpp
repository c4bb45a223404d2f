// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/nonzero_groups.hpp"

#include <cstring>

#include "hw/datapath/simd_dispatch.hpp"
#include "hw/datapath/taps.hpp"

namespace nibblecore::hw {
namespace {

/// Of 16 lanes.
struct Elements {
  ptrdiff_t sixteens;
  const Int16Lanes* elements;  ///< [sixteens * 16]
  Int16Lanes* words;           ///< [sixteens]
};

struct GatherWords {
  [[gnu::always_inline]] static int run(const Elements& lanes) {
    for (ptrdiff_t group = 0; group < lanes.sixteens; ++group) {
      Int16Lanes word{};
      for (int i = 0; i < kSixteen; ++i) {
        const auto bit = static_cast<int16_t>(1U << i);
        const Int16Lanes is_nonzero = lanes.elements[group * kSixteen + i] != 0;
        word |= is_nonzero & bit;
      }
      lanes.words[group] = word;
    }
    return 0;
  }
};

struct FindNonzero {
  template <class Hooks>
  [[gnu::always_inline]] static int run(const NonzeroGroups<Hooks>& groups) {
    int32_t* out = groups.nonzero;
    for (ptrdiff_t group = 0; group < groups.sixteens; ++group) {
      for (ptrdiff_t row = 0; row < groups.rows; ++row) {
        const int16_t of_row = groups.a.words(row / kLanes)[group][row % kLanes];
        for (ptrdiff_t column = 0; column < groups.columns; column += kLanes, out += kLanes) {
          const Int16Lanes both = groups.b.words(column / kLanes)[group] & of_row;
          const Int16Lanes any = both != 0;
          Int32Lanes nonzero = -__builtin_convertvector(any, Int32Lanes);
          const ArrayTap<Hooks> tap{groups.hooks, groups.rows, groups.columns, row, column, 0};
          tap.bus(Site::kGroupNonzero, group, nonzero);
          std::memcpy(out, &nonzero, sizeof nonzero);
        }
      }
    }
    return 0;
  }
};

}  // namespace

NonzeroWords::NonzeroWords(int lanes, int k)
    : lane_groups_(padded_lanes(lanes) / kLanes),
      k_(k),
      words_(static_cast<size_t>(lane_groups_ * k_ / kSixteen)) {}

template <class Hooks>
void NonzeroWords::gather(SimdTarget target, const BasicOperandDecoder<Hooks>& operand,
                          ptrdiff_t sixteens) {
  for (ptrdiff_t group = 0; group < lane_groups_; ++group) {
    run_on<GatherWords>(
        target, Elements{sixteens, operand.elements(group), words_.data() + group * k_ / kSixteen});
  }
}

template <class Hooks>
void find_nonzero_groups(SimdTarget target, const NonzeroGroups<Hooks>& groups) {
  run_on<FindNonzero>(target, groups);
}

template void NonzeroWords::gather(SimdTarget, const BasicOperandDecoder<NoHooks>&, ptrdiff_t);
template void NonzeroWords::gather(SimdTarget, const BasicOperandDecoder<ProbeHooks>&, ptrdiff_t);
template void find_nonzero_groups(SimdTarget, const NonzeroGroups<NoHooks>&);
template void find_nonzero_groups(SimdTarget, const NonzeroGroups<ProbeHooks>&);

}  // namespace nibblecore::hw
