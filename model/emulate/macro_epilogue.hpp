// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/tile_shape.hpp"
#include "model/formats/macro_scales.hpp"

namespace nibblecore {

/// Factors of a macro block of the columns of a strip.
using ColumnFactors = std::array<float, kStripColumns>;

/// Takes the sums [kStripColumns] of one row of A over a macro block, times its factor and those of
/// the columns, into the row's accumulators, and makes the sums +0.
void take_in_macro_block(float a_factor, const ColumnFactors& b_factors, MacroEpilogue epilogue,
                         EmulatorTarget target, float* sums, float* accumulators);

}  // namespace nibblecore
