// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/number_format.hpp"

namespace nibblecore {

/// S1P2, the element of HiF4 (arXiv 2602.11287; CANN calls it E1M2): sign and a magnitude 0..7 in
/// quarters, 0 to 1.75. As a floating-point format it is E1M2 with bias 1 and subnormals.
inline constexpr NumberFormat kS1p2Format{"S1P2", 1, 2, 1, true, true, SpecialCodes::kNone};

/// Four times the value of a code 0..15, an exact integer -7..7. Both zeros give 0.
constexpr int s1p2_quarters(uint32_t code) {
  const int magnitude = static_cast<int>(code & 7);
  return (code & 8) != 0 ? -magnitude : magnitude;
}

}  // namespace nibblecore
