// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nibblecore {

/// Which end of a field of micro-exponents group 0 is at.
enum class BitOrder { kLeastFirst, kMostFirst };

/// How a layout writes the scale of a HiF4 unit into 4 bytes of memory. `position` tells at which
/// of them E6M2, E1_8, E1_16 of groups 0..7 and E1_16 of groups 8..15 are.
struct ScaleWord {
  std::array<size_t, 4> position;
  BitOrder bits;
};

/// Bytes E6M2, E1_8, E1_16 low, E1_16 high, group g at bit g: the PTO ISA's little-endian U32,
/// CANN, and the project's own order.
inline constexpr ScaleWord kPtoWord{{0, 1, 2, 3}, BitOrder::kLeastFirst};
/// The same bytes, group 0 of each at bit 7.
inline constexpr ScaleWord kAmctWord{{0, 1, 2, 3}, BitOrder::kMostFirst};
/// A little-endian 32-bit E6M2 << 24 | E1_8 << 16 | E1_16, group 0 at the top bit of its field.
inline constexpr ScaleWord kMsModelSlimWord{{3, 2, 1, 0}, BitOrder::kMostFirst};
/// Two little-endian 16-bit words, E6M2 << 8 | E1_8 and E1_16, group 0 at the top bit of its field.
inline constexpr ScaleWord kHiFloat4ResearchWord{{1, 0, 3, 2}, BitOrder::kMostFirst};

/// `scale`, 4 bytes in the order of kPtoWord, as `word` writes them.
std::array<uint8_t, 4> write_scale_word(const ScaleWord& word, const std::array<uint8_t, 4>& scale);

/// The way back.
std::array<uint8_t, 4> read_scale_word(const ScaleWord& word, const std::array<uint8_t, 4>& bytes);

}  // namespace nibblecore
