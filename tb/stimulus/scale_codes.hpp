// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/block_format.hpp"
#include "tb/stimulus/dice.hpp"
#include "tb/stimulus/theme.hpp"

namespace nibblecore::tb {

/// The scale byte of a packed block (HiF4: E6M2), as the theme of its GEMM wants it.
uint8_t random_scale(Dice& dice, const Theme& theme, ScaleKind kind);

}  // namespace nibblecore::tb
