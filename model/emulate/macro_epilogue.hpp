// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/emulate/row_block.hpp"
#include "model/formats/macro_scales.hpp"

namespace nibblecore {

/// Takes the sums of one row of A over a macro block, times its factor and those of the columns,
/// into the row's accumulators, and makes the sums +0.
void take_in_macro_block(float a_factor, const RowAccumulators& b_factors, MacroEpilogue epilogue,
                         RowAccumulators& sums, RowAccumulators& accumulators);

}  // namespace nibblecore
