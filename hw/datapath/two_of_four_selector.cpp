// SPDX-License-Identifier: Apache-2.0
#include "hw/datapath/two_of_four_selector.hpp"

#include <cstddef>

#include "hw/datapath/quantizer_widths.hpp"

namespace nibblecore::hw {
namespace {

/// How many of the other three come before each element.
std::array<int, 4> ranks(const std::array<uint8_t, 4>& codes) {
  std::array<int, 4> beaten_by{};
  for (size_t low = 0; low < codes.size(); ++low) {
    for (size_t high = low + 1; high < codes.size(); ++high) {
      const bool lower_wins = (codes[low] & 7) >= (codes[high] & 7);
      ++beaten_by[lower_wins ? high : low];
    }
  }
  return beaten_by;
}

}  // namespace

SelectedQuad select_quad(const std::array<uint8_t, 4>& codes) {
  const std::array<int, 4> rank = ranks(codes);
  uint32_t indices = 0;
  uint32_t taken = 0;
  for (uint32_t i = 0; i < codes.size(); ++i) {
    require_width(kElementCode, codes[i]);
    if (rank[i] < 2) {
      indices |= i << (2 * taken);
      ++taken;
    }
  }
  const auto metadata = static_cast<uint8_t>(indices);
  return {gather_quad(codes, metadata), metadata};
}

std::array<uint8_t, 2> gather_quad(const std::array<uint8_t, 4>& codes, uint8_t indices) {
  require_width(kQuadIndices, indices);
  return {codes[indices & 3U], codes[(indices >> 2U) & 3U]};
}

}  // namespace nibblecore::hw
