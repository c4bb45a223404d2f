// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/formats/e2m1_unit.hpp"
#include "model/formats/hif4_unit.hpp"

namespace nibblecore::hw {

/// x - Q(x) of a quantized block, element by element, as FP32 bits: Q(x) is the element decoded to
/// FP32 (infinite where 6 and 4 pass FP32's range under the two largest E8M0 codes, NaN under a NaN
/// scale), the subtraction is exact but for one rounding to nearest even. A residual that is not
/// finite makes its own block NaN when quantized.
std::array<uint32_t, 32> residual(const std::array<uint32_t, 32>& values, const Mxfp4Unit& unit);
std::array<uint32_t, 64> residual(const std::array<uint32_t, 64>& values, const Hif4Unit& unit);

}  // namespace nibblecore::hw
