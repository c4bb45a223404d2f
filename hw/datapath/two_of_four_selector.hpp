// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace nibblecore::hw {

/// The two kept elements of a quad, in ascending order of position.
struct SelectedQuad {
  std::array<uint8_t, 2> codes;
  /// Metadata: position of the first in bits 1:0, of the second in bits 3:2.
  uint8_t indices;
};

/// Keeps the two largest magnitudes (low three bits of an element code: E2M1 or S1P2 under one
/// scale) of four neighbours along K. Six comparators; of equal magnitudes the lower position wins,
/// so that with fewer than two non-zeros the kept zeros are the lowest ones.
SelectedQuad select_quad(const std::array<uint8_t, 4>& codes);

/// The other operand's elements at the kept positions: two 4-to-1 multiplexers.
std::array<uint8_t, 2> gather_quad(const std::array<uint8_t, 4>& codes, uint8_t indices);

}  // namespace nibblecore::hw
