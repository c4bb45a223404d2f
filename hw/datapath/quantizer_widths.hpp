// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw/datapath/width.hpp"

namespace nibblecore::hw {

// Declared widths of the online quantizer and the 2:4 selector. Bounds: docs/numerics.md, section
// "Widths of the datapath".
inline constexpr Bus kMagnitude{"FP32 magnitude", 31};             // bits without the sign
inline constexpr Bus kSignificand{"FP32 significand", 24};         // hidden bit included
inline constexpr Bus kScaleCode{"E8M0 code before its clamp", 8};  // 1 - 2 .. 254 - 2 + 1
inline constexpr Bus kElementShift{"element shift distance", 9};   // -232 .. 275
inline constexpr Bus kHalves{"E2M1 element in halves", 4};         // < 16, guard and sticky apart
inline constexpr Bus kBf16Significand{"BF16 significand", 8};      // hidden bit included
inline constexpr Bus kBf16Product{"FP32 by BF16 product", 32};     // 24 x 8 bits
inline constexpr Bus kE6m2Sum{"E6M2 code before its clamp", 10};   // field and 2 bits, less 4 * 79
inline constexpr Bus kQuarters{"S1P2 element in quarters", 3};     // < 8, guard and sticky apart
inline constexpr Bus kDecodedElement{"decoded element significand", 6};  // 7 * 7; E2M1: 12
inline constexpr Bus kDecodedNvfp4{"decoded NVFP4 significand", 8};      // 12 * 15
inline constexpr Bus kUe4m3Steps{"UE4M3 significand in steps", 4};     // < 16, guard, sticky apart
inline constexpr Bus kUe4m3Code{"UE4M3 code", 7};                      // <= 0x7E after 448
inline constexpr Bus kPartialRemainder{"FP32 partial remainder", 25};  // < twice the divisor
inline constexpr Bus kQuotient{"FP32 quotient", 26};                   // in (2^24, 2^26)
inline constexpr Bus kDifference{"residual difference", 28};           // 24 + 3 bits, carry
inline constexpr Bus kElementCode{"element code", 4};                  // compared in its low 3 bits
inline constexpr Bus kQuadIndices{"2:4 indices of a quad", 4};         // two of 2 bits

/// Checks one value against its bus; InternalError where it does not fit.
inline void require_width(const Bus& bus, int64_t value) {
  WidthMonitor monitor(bus);
  monitor.observe(value);
  monitor.require();
}

}  // namespace nibblecore::hw
