// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/block_format.hpp"
#include "tb/coverage/coverage.hpp"

namespace nibblecore::tb {

/// Which scales meet at the scale multipliers of one format.
class ScalePoints {
 public:
  ScalePoints(const BlockFormat& format, Coverage& coverage);

  /// The scale codes of two blocks that are multiplied (HiF4: E6M2).
  void sample(uint8_t a, uint8_t b);

 private:
  ScaleKind kind_;
  CoverPoint& codes_a_;
  CoverPoint& codes_b_;
  CoverPoint& extremes_;
  CoverPoint& nan_;
  CoverPoint& significands_;
};

}  // namespace nibblecore::tb
