// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/machine/program.hpp"

namespace nibblecore {

/// What a user fixes of a tiling; the rest is chosen. A whole tiling leaves nothing to choose.
struct TilingChoice {
  std::optional<LoopOrder> loop_order;
  std::optional<StepOrder> step_order;  ///< kTilesInner unless fixed
  std::optional<Residency> residency;
  std::optional<Tiling> tiling;
};

/// All tilings that are looked at, whatever the buffers hold: tiles and steps of powers of two
/// below the GEMM's extents and the extents themselves (times what a residual's granule or mask
/// does not let one cut), both loop orders, both residencies. Sorted by loop order, residency,
/// k_steps, row_tiles, column_tiles, as the enumerations and sizes ascend.
std::vector<Tiling> candidate_tilings(const Machine& machine, const GemmSpec& spec,
                                      const TilingChoice& choice = {});

/// The program that takes the fewest cycles of all candidates that fit the buffers; of equally fast
/// ones the first in the order of candidate_tilings. So more buffer never makes a GEMM slower.
/// InputError where none fits, or where Program refuses the GEMM.
Program choose_program(const Machine& machine, const GemmSpec& spec,
                       const TilingChoice& choice = {});

/// Row tiles that no region and no core's share may cut: of the tiles of a residual's mask.
int64_t uncut_row_tiles(const Machine& machine, const GemmSpec& spec);

}  // namespace nibblecore
