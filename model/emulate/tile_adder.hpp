// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "model/emulate/emulator_target.hpp"
#include "model/emulate/scale_numbers.hpp"
#include "model/emulate/tile_shape.hpp"
#include "model/formats/accumulation.hpp"
#include "model/formats/block_format.hpp"

namespace nibblecore {

/// Blocks of a tile with what is known of their scales.
struct TileRun {
  TileBlocks blocks;
  const ScaleRange* a_ranges;  ///< [blocks], of the panel's scales
  const ScaleRange* b_ranges;  ///< [blocks], of the strip's
  bool fits;                   ///< whether fits_fp32 is known for all of them together
};

/// Adds blocks to the accumulators of a tile under one policy. Objects hold no state between calls
/// and serve any number of threads.
class TileAdder {
 public:
  virtual ~TileAdder() = default;

  /// Takes the blocks of `run`, in ascending K, into the accumulators [kPanelRows, kStripColumns]
  /// (FP32). The first block lies at a multiple of 64 elements of K. `truncation`, of the same
  /// shape, takes in what truncation took (kAlignmentLoss, kResultLoss), or kUntold where a NaN
  /// came in; it may be null.
  virtual void add(const TileRun& run, float* accumulators, uint8_t* truncation) const = 0;
};

/// The adder of a policy that keeps an FP32 number between blocks or nodes; every one but `exact`.
std::unique_ptr<TileAdder> make_tile_adder(Accumulation policy, const BlockFormat& format,
                                           EmulatorTarget target);

}  // namespace nibblecore
