// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nibblecore {

/// The layout that LDTILECFG reads (Intel SDM, volume 1, chapter 18).
struct alignas(64) TileConfiguration {
  uint8_t palette = 1;
  uint8_t start_row = 0;
  std::array<uint8_t, 14> reserved{};
  std::array<uint16_t, 16> row_bytes{};
  std::array<uint8_t, 16> rows{};
};
static_assert(sizeof(TileConfiguration) == 64);

/// All eight tile registers of sixteen rows of 64 bytes.
constexpr TileConfiguration whole_tiles() {
  TileConfiguration configuration;
  for (size_t i = 0; i < 8; ++i) {
    configuration.rows[i] = 16;
    configuration.row_bytes[i] = 64;
  }
  return configuration;
}

}  // namespace nibblecore
