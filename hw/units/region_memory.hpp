// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/channel/lanes.hpp"
#include "model/machine/core_description.hpp"
#include "model/machine/program.hpp"

namespace nibblecore::hw {

/// The FP32 numbers that L0C may hold of one output.
enum class AccumulatorPlane {
  kResult,    ///< what start values go to
  kResidual,  ///< the residual's own accumulator
  kTileSum,   ///< sums of macro blocks that go to kResult
  kResidualTileSum,
};
inline constexpr int kAccumulatorPlanes = 4;

/// L0C: the FP32 accumulators of two regions of output tiles, [half, tile, rows, padded columns] in
/// each plane that the GEMM has.
class RegionMemory {
 public:
  explicit RegionMemory(const CoreDescription& core);

  /// Room for regions of this many tiles of this GEMM.
  void start(int64_t tiles, const GemmSpec& spec);

  /// Accumulators of one tile, tile_values() of them.
  uint32_t* tile(size_t half, int64_t tile, AccumulatorPlane plane = AccumulatorPlane::kResult) {
    return halves_.at(half)[static_cast<size_t>(plane)].data() +
           static_cast<size_t>(tile) * tile_values_;
  }
  size_t tile_values() const { return tile_values_; }

  /// A region's values inside M and N, [rows, columns] FP32 bits in `values`, from or to the tiles.
  void fill(size_t half, const ChunkBody& region, const uint32_t* values);
  void read(size_t half, const ChunkBody& region, uint32_t* values,
            AccumulatorPlane plane = AccumulatorPlane::kResult);

 private:
  using Planes = std::array<std::vector<uint32_t>, kAccumulatorPlanes>;

  template <class Copy>
  void for_each_run(size_t half, const ChunkBody& region, AccumulatorPlane plane, Copy copy);

  CoreDescription core_;
  size_t tile_values_;
  std::array<Planes, 2> halves_;
};

}  // namespace nibblecore::hw
