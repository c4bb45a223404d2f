// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/formats/number_format.hpp"

namespace nibblecore {

/// E2M1, the element of MXFP4 and NVFP4 (OCP MX v1.0): sign, 2 exponent bits with bias 1, 1
/// mantissa bit; one subnormal (0.5), signed zero, no infinity, no NaN; largest 6.
inline constexpr NumberFormat kE2m1Format{"E2M1", 2, 1, 1, true, true, SpecialCodes::kNone};

/// Twice the value of every code 0..15: an exact small integer. Both zeros give 0.
inline constexpr std::array<int8_t, 16> kE2m1Doubled{0, 1,  2,  3,  4,  6,  8,  12,
                                                     0, -1, -2, -3, -4, -6, -8, -12};

}  // namespace nibblecore
