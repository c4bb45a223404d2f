// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/formats/block_format.hpp"
#include "tb/stimulus/constraints.hpp"
#include "tb/stimulus/dice.hpp"

namespace nibblecore::tb {

/// The codes of a packed block, or of what of it lies inside K.
std::vector<uint8_t> random_codes(Dice& dice, ElementKind element, BlockStyle style, size_t count);

}  // namespace nibblecore::tb
