// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/formats/rounding.hpp"
#include "model/quantize/block_values.hpp"

namespace nibblecore {

/// The E8M0 code of ScaleRule::kBestPowerOfTwo for `size` values: of 1/4, 1/2, 1 and 2 times the
/// scale of kRceil, held within E8M0, the one with the least squared error of the block; the
/// smallest of equals. Errors are those of `rounding`, of nearest even where it is stochastic; they
/// are compared exactly, up to 2^14 values. NaN as mxfp4_scale.
uint8_t mxfp4_best_power_of_two(const BlockValues& block, int size, Rounding rounding);

}  // namespace nibblecore
