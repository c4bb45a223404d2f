// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/number_format.hpp"

namespace nibblecore {

/// UE4M3, the block scale of NVFP4: E4M3 whose sign bit is ignored; bias 7, subnormals, largest
/// 448, code 0x7F is NaN.
inline constexpr NumberFormat kUe4m3Format{"UE4M3", 4, 3, 7, false, true, SpecialCodes::kNanOnly};

inline constexpr uint8_t kUe4m3Nan = 0x7F;

}  // namespace nibblecore
