// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/tile_shape.hpp"

namespace nibblecore {

/// Adds blocks, of which there are up to 4, with their dots [blocks, kPanelRows, kStripColumns] to
/// `sums` [kPanelRows, kStripColumns], all of which must be exact in FP64.
void add_to_exact_sums(const TileBlocks& blocks, const int32_t* dots, EmulatorTarget target,
                       double* sums);

/// RNE_FP32(sum + start) of a row of kStripColumns outputs.
void round_exact_sums(const double* sums, const float* starts, EmulatorTarget target,
                      float* results);

}  // namespace nibblecore
