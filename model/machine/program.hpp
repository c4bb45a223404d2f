// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/machine/gemm_spec.hpp"
#include "model/machine/machine.hpp"
#include "model/machine/tiling.hpp"

namespace nibblecore {

/// What a step multiplies.
enum class StepKind {
  kDense,           ///< depth of K of A
  kResidual,        ///< depth of K of A's residual, through the same array
  kSparse,          ///< 2 x depth of K of A's 2:4 residual, through the same array (serial build)
  kDenseAndSparse,  ///< depth of K of A, and beside it of its 2:4 residual (parallel build)
  kSparseBeside,    ///< depth of K of the 2:4 residual alone, in its own lanes (parallel build)
};
inline constexpr int kStepKinds = 5;
std::string_view name_of(StepKind kind);

/// What a chunk's steps multiply: with the residual appended to more than one chunk of K, the
/// chunks pass twice, once for the dense operand and once for its residual.
enum class ChunkPart { kWhole, kDense, kResidual };

/// One pass over the tiles of a region: every tile makes this step.
struct Pass {
  StepKind kind;
  int64_t first_block;  ///< along K, from the start of the chunk
  int32_t dense_blocks;
  int32_t residual_blocks;  ///< of the same first block on
  /// Whether the sum of their macro block is taken in behind its dense (its residual) blocks.
  bool closes_dense = false;
  bool closes_residual = false;
  int32_t epilogues = 0;  ///< sums of macro blocks taken in, those between its blocks included
};
inline constexpr int kMostEpilogues = 2;  ///< of a pass

/// One trip of the innermost loop: what is loaded, moved, multiplied and stored for one chunk of K
/// of one region. Two trips with equal bodies differ only in which data they touch.
struct ChunkBody {
  int64_t rows;     ///< of A inside M
  int64_t columns;  ///< of B inside N
  int64_t row_tiles;
  int64_t column_tiles;
  int64_t k;  ///< values inside K
  int64_t blocks;
  ChunkPart part;
  bool first_of_region;
  bool last_of_region;

  int64_t load_a_bytes;  ///< memory -> L1; 0: the panel lies there already
  int64_t load_b_bytes;
  bool load_a_takes;  ///< the load waits for a free half of L1's A region
  bool load_b_takes;
  bool move_a_frees;  ///< L1 -> L0 was the last use of that half
  bool move_b_frees;
  int64_t move_a_bytes;  ///< L1 -> L0A; of an online operand in whole blocks of its input width
  int64_t move_b_bytes;
  int64_t mask_bytes;         ///< of A's residual, moved before A's values
  int64_t quantize_a_blocks;  ///< 0 for a packed operand
  int64_t quantize_b_blocks;
  int64_t quantize_a_beats;  ///< groups of blocks that enter the quantizer at once
  int64_t quantize_b_beats;
  int64_t start_bytes;  ///< memory -> L0C before the region's first step
  int64_t store_bytes;  ///< L0C -> memory after its last

  int64_t tiles() const { return row_tiles * column_tiles; }
  friend bool operator==(const ChunkBody& a, const ChunkBody& b);
};

/// Names a trip: indices of the loops over regions and of the chunk (the second pass of an appended
/// residual counts on).
struct ChunkIndex {
  int64_t outer = 0;
  int64_t inner = 0;
  int64_t chunk = 0;
};

/// The schedule of one GEMM on one core, as a compressed loop nest
///
///     for outer region, for inner region, for chunk of K: one ChunkBody
///
/// Each unit of the core walks the trips in this order and does its own part of them:
/// - the memory port: load A, load B, then the store of the region that ended kStoreLag trips
///   before, then the accumulators' start values; at the end the stores that are left;
/// - the moves L1 -> L0A and L1 -> L0B, through the quantizer where the operand is online;
/// - the sequencer: the passes of steps.
/// L1, L0A, L0B and L0C hold two halves each, filled in turn: fill i goes to half i mod 2 and waits
/// until fill i - 2 was freed. docs/cycles.md.
class Program {
 public:
  /// Trips between the end of a region and its store's place on the memory port. 2: the loads that
  /// the array needs next go first, and no load waits for a store that waits for it.
  static constexpr int64_t kStoreLag = 2;

  /// InputError where the machine can't run the GEMM so: depth not a multiple of the block, an
  /// interleaved residual at a depth other than 64, a residual of a packed operand, an accumulator
  /// for a residual that is not there, factors of an online operand or of a format with tensor
  /// scales, macro blocks that are no multiple of the depth, a chunk that is no multiple of the
  /// granule or of the macro block, a policy without a circuit, one that does not go with the
  /// format, the depth or a residual, sizes that leave 64 bits, a buffer that is too small.
  Program(const Machine& machine, const GemmSpec& spec, const Tiling& tiling);

  const Machine& machine() const { return machine_; }
  const GemmSpec& spec() const { return spec_; }
  const Tiling& tiling() const { return tiling_; }

  int64_t outer_count() const;
  int64_t inner_count() const;
  /// Chunks of K, counted twice where they pass twice.
  int64_t chunk_count() const { return k_chunks_ * (passes_twice_ ? 2 : 1); }

  ChunkBody body(const ChunkIndex& index) const;

  /// Whether a panel of A (of B) of the whole K stays in a half of L1 while the inner loop runs.
  bool keeps_a() const;
  bool keeps_b() const;
  /// Where a trip's piece lies within its half of L1.
  int64_t a_l1_offset(const ChunkIndex& index) const;
  int64_t b_l1_offset(const ChunkIndex& index) const;
  /// Bytes of such a half.
  int64_t a_half_bytes() const;
  int64_t b_half_bytes() const;

  /// The passes of a chunk, in order.
  std::vector<Pass> passes(const ChunkBody& body) const;
  /// Additions on one accumulator that a step of this kind takes the time of (masked blocks pass
  /// through the adders too): one a block, under `blackwell` policies one for each 64 of K.
  int64_t additions(StepKind kind) const;
  /// The same with the epilogues of macro blocks, each of which is one more.
  int64_t additions(const Pass& pass) const { return additions(pass.kind) + pass.epilogues; }
  /// Blocks of a macro block; 0 where operands have no factors.
  int64_t macro_blocks() const { return spec_.macro_length / spec_.format.block; }
  /// What enters the quantizer at once, and the cycles until the next may: blocks of which several
  /// fit into its width, or one block that takes several cycles. Where the blocks of a move are no
  /// whole beats, the first beat holds fewer.
  int64_t blocks_a_beat() const;
  int64_t cycles_a_beat() const;
  /// Steps of the whole program.
  int64_t steps() const;

  /// Where a trip's region and chunk begin.
  int64_t first_row(const ChunkIndex& index) const;
  int64_t first_column(const ChunkIndex& index) const;
  int64_t first_block(const ChunkIndex& index) const;

  /// Byte offsets of a trip's loads and stores within the images of A, B and of C or D in memory.
  /// An image holds the pieces that are moved at once one after the other: of A and B [region,
  /// chunk], of C and D [row region, column region]. docs/cycles.md describes a piece.
  int64_t a_offset(const ChunkIndex& index) const;
  int64_t b_offset(const ChunkIndex& index) const;
  int64_t start_offset(const ChunkIndex& index) const;
  int64_t store_offset(const ChunkIndex& index) const;
  /// Sizes of those images.
  int64_t a_image_bytes() const;
  int64_t b_image_bytes() const;
  int64_t start_image_bytes() const;
  int64_t store_image_bytes() const;

 private:
  struct Extent {
    int64_t rows;
    int64_t columns;
    int64_t k;
    int64_t blocks;
  };

  int64_t row_region(const ChunkIndex& index) const;
  int64_t column_region(const ChunkIndex& index) const;
  Extent extent(const ChunkIndex& index) const;
  int64_t block_bytes(OperandPath path) const;
  int64_t row_image_bytes(int64_t rows) const;
  int64_t column_image_bytes(int64_t columns) const;
  void add_dense(int64_t first, int64_t end, std::vector<Pass>& passes) const;
  void add_residual(int64_t first, int64_t end, std::vector<Pass>& passes) const;
  std::vector<Pass> passes_without_epilogues(const ChunkBody& body) const;
  void mark_epilogues(std::vector<Pass>& passes) const;

  Machine machine_;
  GemmSpec spec_;
  Tiling tiling_;
  int64_t region_rows_ = 0;
  int64_t region_columns_ = 0;
  int64_t chunk_k_ = 0;
  int64_t row_regions_ = 0;
  int64_t column_regions_ = 0;
  int64_t k_chunks_ = 0;
  bool passes_twice_ = false;
};

/// The next trip after `index`; false where that was the last.
bool advance(const Program& program, ChunkIndex& index);

/// Bytes that a tiling takes of each buffer, both halves.
struct BufferUse {
  int64_t l1_bytes;
  int64_t l0a_bytes;
  int64_t l0b_bytes;
  int64_t l0c_bytes;
};
BufferUse buffer_use(const Machine& machine, const GemmSpec& spec, const Tiling& tiling);

/// Whether Program's constructor would take these: no error but a buffer too small, or a chunk that
/// is no multiple of the residual's granule, gives false; the others are thrown.
bool fits(const Machine& machine, const GemmSpec& spec, const Tiling& tiling);

}  // namespace nibblecore
