// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/machine/gemm_spec.hpp"
#include "model/machine/machine.hpp"
#include "model/machine/tiling.hpp"

namespace nibblecore {

/// What a user fixes of a tiling; the rest is chosen. A whole tiling leaves nothing to choose.
struct TilingChoice {
  std::optional<LoopOrder> loop_order;
  std::optional<StepOrder> step_order;  ///< kTilesInner unless fixed
  std::optional<Residency> residency;
  std::optional<Tiling> tiling;
};

/// What each size of a tiling may be, ascending.
struct TilingSizes {
  std::vector<int64_t> row_tiles;
  std::vector<int64_t> column_tiles;
  std::vector<int64_t> k_steps;
};

/// Tiles and steps of powers of two below the GEMM's extents and the extents themselves, times what
/// a residual's granule or mask, or a macro block, does not let one cut. InputError for an extent
/// that is not positive, or a format that the core does not take.
TilingSizes candidate_sizes(const Machine& machine, const GemmSpec& spec);

/// The orders that a choice leaves open.
std::vector<LoopOrder> loop_orders(const TilingChoice& choice);
std::vector<Residency> residencies(const TilingChoice& choice);

/// All tilings of these sizes, sorted by loop order, residency, k_steps, row_tiles, column_tiles,
/// as the enumerations and sizes ascend.
std::vector<Tiling> combinations(const TilingSizes& sizes, const TilingChoice& choice);

/// Whether `a` comes before `b` in that order.
bool comes_before(const Tiling& a, const Tiling& b);

/// All tilings that are looked at, whatever the buffers hold: those of the candidate sizes.
std::vector<Tiling> candidate_tilings(const Machine& machine, const GemmSpec& spec,
                                      const TilingChoice& choice = {});

/// Whether the accumulators alone, or the operands at 4 bits a value, pass a buffer: cheap, true
/// only where fits() is false, and true wherever sizes would leave 64 bits.
bool far_too_large(const Machine& machine, const GemmSpec& spec, const Tiling& tiling);

/// Without the sizes that are far too large even where the other two are the least.
TilingSizes without_far_too_large(const Machine& machine, const GemmSpec& spec, TilingSizes sizes);

/// Row tiles that no region and no core's share may cut: of the tiles of a residual's mask.
int64_t uncut_row_tiles(const Machine& machine, const GemmSpec& spec);

}  // namespace nibblecore
