// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/number_format.hpp"

namespace nibblecore {

/// E8M0, the shared scale of the MX formats (OCP MX v1.0): 2^(code-127), code 255 is NaN. There
/// is no zero: code 0 is 2^-127.
inline constexpr NumberFormat kE8m0Format{"E8M0", 8, 0, 127, false, false, SpecialCodes::kNanOnly};

inline constexpr uint8_t kE8m0Nan = 0xFF;

}  // namespace nibblecore
