// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/channel/lanes.hpp"
#include "model/formats/block_format.hpp"
#include "model/machine/core_description.hpp"
#include "model/machine/program.hpp"

namespace nibblecore::hw {

/// Names one step of a GEMM; travels with everything that belongs to it.
struct StepTag {
  int64_t trip = 0;  ///< of the program's innermost loop, from 0
  int32_t tile = 0;  ///< output tile within its region, row-major
  int32_t tile_row = 0;
  int32_t tile_column = 0;
  StepKind kind = StepKind::kDense;
  int64_t first_block = 0;      ///< along K, from the start of the chunk
  int32_t dense_blocks = 0;     ///< blocks of A inside K; blocks past K are masked
  int32_t residual_blocks = 0;  ///< blocks of A's residual inside K
  /// Whether the sum of their macro block is taken in behind the dense (the residual) blocks.
  bool closes_dense = false;
  bool closes_residual = false;
  int32_t epilogues = 0;  ///< sums of macro blocks that the step takes in
  bool first_of_tile = false;
  bool last_of_tile = false;
  bool last_of_chunk = false;
  bool last_of_region = false;

  int32_t blocks() const { return dense_blocks + residual_blocks; }

  friend bool operator==(const StepTag& a, const StepTag& b) {
    return a.trip == b.trip && a.tile == b.tile && a.first_block == b.first_block &&
           a.kind == b.kind;
  }
};

/// Lanes of an operand for one step, as the array takes them in: packed codes [lanes, k / 2], even
/// element in the low nibble, and HiF4's micro-exponents.
struct CodeLanes {
  std::vector<uint8_t> codes;
  std::vector<uint8_t> level2;   ///< [lanes, k / 64]: bit g = 8-element group g
  std::vector<uint16_t> level3;  ///< [lanes, k / 64]: bit g = 4-element group g

  CodeLanes(int lanes, int k)
      : codes(static_cast<size_t>(lanes) * k / 2),
        level2(static_cast<size_t>(lanes) * k / 64),
        level3(static_cast<size_t>(lanes) * k / 64) {}
};

/// Lanes of a 2:4 residual over k of K: of every quad of codes the two that were kept.
struct SparseLanes {
  std::vector<uint8_t> codes;    ///< [lanes, k / 4]: kept codes, the even one in the low nibble
  std::vector<uint8_t> indices;  ///< [lanes, k / 8]: positions of two quads a byte
  std::vector<uint8_t> level2;   ///< [lanes, k / 64]
  std::vector<uint16_t> level3;  ///< [lanes, k / 64]

  SparseLanes(int lanes, int k)
      : codes(static_cast<size_t>(lanes) * k / 4),
        indices(static_cast<size_t>(lanes) * k / 8),
        level2(static_cast<size_t>(lanes) * k / 64),
        level3(static_cast<size_t>(lanes) * k / 64) {}
};

/// Operand A for one step. Which part counts follows from the step's kind: `dense` holds A or, for
/// StepKind::kResidual, its residual [depth]; `sparse` its 2:4 residual [2 x depth; the first depth
/// only in the parallel build].
struct ASlice {
  StepTag tag;
  CodeLanes dense;
  SparseLanes sparse;

  ASlice(int lanes, int depth) : dense(lanes, depth), sparse(lanes, 2 * depth) {}
};

/// Operand B for one step, [columns, 2 x depth]: a step of StepKind::kSparse takes 2 x depth of K,
/// every other kind the first depth.
struct BSlice {
  StepTag tag;
  CodeLanes dense;

  BSlice(int lanes, int depth) : dense(lanes, 2 * depth) {}
};

/// Blocks that one step can take in: 2 x depth of the shortest.
constexpr int most_blocks(int depth) { return 2 * depth / 16; }

/// Macro blocks that the blocks of one step may lie in: a step of 2 x depth may reach into a
/// second.
inline constexpr int kStepMacroBlocks = 2;
inline constexpr uint16_t kFactorOfOne = 0x3C00;  // FP16

/// Block scales of one operand for one step: [lanes, most_blocks], E8M0, UE4M3 or E6M2 codes. Of A
/// the dense blocks' first, then the residual blocks'; of B in the order of K. Where the GEMM has
/// macro blocks, their FP16 factors too: [kStepMacroBlocks, lanes], 1 for an operand without.
struct ScaleSlice {
  StepTag tag;
  std::vector<uint8_t> scales;
  std::vector<uint16_t> factors;

  ScaleSlice(int lanes, int depth)
      : scales(static_cast<size_t>(lanes) * most_blocks(depth)),
        factors(static_cast<size_t>(lanes) * kStepMacroBlocks, kFactorOfOne) {}
};

/// What one sum of the array takes in: a scale block, or 16 of K whatever the block.
enum class SumLength { kBlock, kSixteen };

/// Exact integer dot products of one step: [blocks, rows, padded columns], the dense blocks' first,
/// then the residual blocks'. Under SumLength::kSixteen those of the dense blocks' sixteens, and of
/// each whether any of its products is not zero (0 or 1).
struct BlockSums {
  StepTag tag;
  std::vector<int32_t> sums;
  std::vector<int32_t> nonzero;

  explicit BlockSums(const CoreDescription& core)
      : sums(static_cast<size_t>(core.rows) * padded_lanes(core.columns) * most_blocks(core.depth)),
        nonzero(sums.size()) {}
};

/// Products of the scales of one step: [blocks, rows, padded columns] each, in the order of the
/// sums; where the GEMM has macro blocks, products of their factors, significand * 2^exponent:
/// [kStepMacroBlocks, rows, padded columns].
struct ScaleProducts {
  StepTag tag;
  std::vector<int32_t> significands;
  std::vector<int32_t> exponents;
  std::vector<int32_t> nan;  ///< 0 or 1
  std::vector<uint32_t> factor_significands;
  std::vector<int32_t> factor_exponents;

  explicit ScaleProducts(const CoreDescription& core)
      : significands(BlockSums(core).sums.size()),
        exponents(significands.size()),
        nan(significands.size()),
        factor_significands(static_cast<size_t>(core.rows) * padded_lanes(core.columns) *
                            kStepMacroBlocks),
        factor_exponents(factor_significands.size()) {}
};

}  // namespace nibblecore::hw
