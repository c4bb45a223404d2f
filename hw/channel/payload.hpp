// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/channel/lanes.hpp"
#include "model/formats/block_format.hpp"
#include "model/machine/core_description.hpp"

namespace nibblecore::hw {

/// Names one step of a GEMM; travels with everything that belongs to it.
struct StepTag {
  int64_t tile_row = 0;  ///< output tile, in tiles
  int64_t tile_column = 0;
  int64_t k_step = 0;
  int32_t active_blocks = 0;  ///< blocks of this step that lie inside K; the others are masked
  bool first_of_tile = false;
  bool last_of_tile = false;
  bool last_of_gemm = false;

  friend bool operator==(const StepTag& a, const StepTag& b) {
    return a.tile_row == b.tile_row && a.tile_column == b.tile_column && a.k_step == b.k_step;
  }
};

/// Lanes of one operand for one step, as the array takes them in: packed codes [lanes, depth / 2],
/// even element in the low nibble, and HiF4's micro-exponents.
struct CodeSlice {
  StepTag tag;
  std::vector<uint8_t> codes;
  std::vector<uint8_t> level2;   ///< [lanes, depth / 64]: bit g = 8-element group g
  std::vector<uint16_t> level3;  ///< [lanes, depth / 64]: bit g = 4-element group g

  CodeSlice(int lanes, int depth)
      : codes(static_cast<size_t>(lanes) * depth / 2),
        level2(static_cast<size_t>(lanes) * depth / 64),
        level3(static_cast<size_t>(lanes) * depth / 64) {}
};

/// Block scales of one operand for one step: [lanes, blocks a step], E8M0, UE4M3 or E6M2 codes.
struct ScaleSlice {
  StepTag tag;
  std::vector<uint8_t> scales;

  ScaleSlice(int lanes, int depth) : scales(static_cast<size_t>(lanes) * depth / kLeastBlock) {}

  static constexpr int kLeastBlock = 16;
};

/// Exact integer dot products of one step: [blocks a step, rows, padded columns].
struct BlockSums {
  StepTag tag;
  std::vector<int32_t> sums;

  explicit BlockSums(const CoreDescription& core)
      : sums(static_cast<size_t>(core.rows) * padded_lanes(core.columns) * core.depth /
             ScaleSlice::kLeastBlock) {}
};

/// Products of the scales of one step: [blocks a step, rows, padded columns] each.
struct ScaleProducts {
  StepTag tag;
  std::vector<int32_t> significands;
  std::vector<int32_t> exponents;
  std::vector<int32_t> nan;  ///< 0 or 1

  explicit ScaleProducts(const CoreDescription& core)
      : significands(BlockSums(core).sums.size()),
        exponents(significands.size()),
        nan(significands.size()) {}
};

/// A finished output tile on its way to the store: FP32 bits [rows, columns].
struct ResultTile {
  StepTag tag;
  std::vector<uint32_t> values;

  explicit ResultTile(const CoreDescription& core)
      : values(static_cast<size_t>(core.rows) * core.columns) {}
};

}  // namespace nibblecore::hw
