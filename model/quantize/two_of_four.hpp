// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore {

/// What 2:4 keeps of a quad, four consecutive elements along K: two positions 0..3, ascending.
struct KeptPair {
  int first;
  int second;

  /// As metadata: the first position in bits 1..0, the second in bits 3..2.
  constexpr uint8_t metadata() const { return static_cast<uint8_t>(first | (second << 2)); }
};

/// The two largest magnitudes (codes without their sign) of four 4-bit codes, the lower index on a
/// tie. Quads lie within a block and, in HiF4, within one level-3 group, so codes order as values;
/// scales are not looked at.
KeptPair largest_two_of_four(const uint8_t* codes);

/// A matrix under 2:4 selection.
struct TwoOfFour {
  /// The same matrix, every element that was not kept +0.
  PackedMatrix selected;
  /// [rows, blocks * block / 8]: KeptPair::metadata of each quad, padding included, two a byte, the
  /// even quad in the low nibble.
  std::vector<uint8_t> metadata;
};

TwoOfFour select_two_of_four(const PackedMatrix& matrix, int threads);

}  // namespace nibblecore
