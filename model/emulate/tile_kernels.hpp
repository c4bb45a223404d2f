// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/tile_shape.hpp"

namespace nibblecore {

/// The loops over elements, compiled for one target.
struct TileKernels {
  ElementForm a_form;
  /// Writes the exact integer dots of every block: [blocks, kPanelRows, kStripColumns], of the
  /// panel's first `tile.rows` rows at least.
  void (*dots)(const TileBlocks& tile, int32_t* dots);
  /// Adds the blocks to the accumulators [kPanelRows, kStripColumns] one after the other, each
  /// rounded to FP32 once (nearest even). Every product of a dot and two scales must be an FP32
  /// number (fits_fp32).
  void (*add)(const TileBlocks& tile, float* accumulators);
};

/// The kernels of a target, which must be available, for blocks of `length` elements. Under kAmx
/// blocks of 16 are left to the vector units: a tile of 16 elements takes the tile unit as long as
/// one of 64.
const TileKernels& tile_kernels(EmulatorTarget target, int length);

// Those of each target.
const TileKernels& portable_kernels();
const TileKernels& avx2_kernels();
const TileKernels& avxvnni_kernels();
const TileKernels& avx512vnni_kernels();
const TileKernels& amx_kernels();

}  // namespace nibblecore
