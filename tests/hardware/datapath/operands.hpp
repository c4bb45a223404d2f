// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "hw/channel/payload.hpp"
#include "model/formats/block_format.hpp"

namespace nibblecore::test {

inline constexpr BlockFormat kE2m1Block64{"", ElementKind::kE2m1, ScaleKind::kE8m0, 64};

/// Every bit random: codes, indices, micro-exponents.
hw::ASlice random_a(const CoreDescription& core, std::mt19937& random);
hw::BSlice random_b(const CoreDescription& core, std::mt19937& random);

/// An operand by the definition: [lanes, k] integers, doubled E2M1 or quarters of S1P2 with both
/// micro-exponents. Of a 2:4 operand what was left out is 0.
struct Elements {
  int k;
  std::vector<int32_t> values;

  int32_t at(int lane, int position) const {
    return values[static_cast<size_t>(lane) * static_cast<size_t>(k) +
                  static_cast<size_t>(position)];
  }
};

Elements defined_elements(ElementKind kind, const hw::CodeLanes& operand, int lanes, int k);
Elements defined_elements(ElementKind kind, const hw::SparseLanes& operand, int lanes, int k);

/// Sums of the first `blocks` blocks of `block` elements by the definition: [blocks, rows,
/// columns].
std::vector<int32_t> defined_sums(const CoreDescription& core, const Elements& a, const Elements& b,
                                  int block, int blocks);

}  // namespace nibblecore::test
