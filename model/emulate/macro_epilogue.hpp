// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/formats/macro_scales.hpp"

namespace nibblecore {

/// A tile at the end of a macro block.
struct MacroTile {
  const float* row_factors;     ///< [rows], of A
  const float* column_factors;  ///< [kStripColumns], of B
  int64_t rows;
  float* sums;          ///< [rows, kStripColumns], of the macro block
  float* accumulators;  ///< [rows, kStripColumns]
};

/// Takes the sums, times the factors of their rows and columns, into the accumulators, and makes
/// the sums +0.
void take_in_macro_block(const MacroTile& tile, MacroEpilogue epilogue, EmulatorTarget target);

}  // namespace nibblecore
