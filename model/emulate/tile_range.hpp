// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace nibblecore {

/// Some neighbouring tiles of a result.
struct TileRange {
  int64_t first_panel;
  int64_t panels;
  int64_t first_strip;
  int64_t strips;

  int64_t tiles() const { return panels * strips; }
};

}  // namespace nibblecore
