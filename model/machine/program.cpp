// SPDX-License-Identifier: Apache-2.0
#include "model/machine/program.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/machine/program_sizes.hpp"

namespace nibblecore {
namespace {

constexpr int64_t kHalves = 2;
constexpr int64_t kAccumulatorBytes = 4;

bool is_interleaved(const GemmSpec& spec) {
  return spec.residual != ResidualPattern::kNone &&
         spec.residual_order == ResidualOrder::kInterleaved;
}

/// Elements of K after which the residual of the same elements follows.
int64_t granule(const GemmSpec& spec) {
  return residual_granule(spec.residual_build, spec.residual_order, spec.k);
}

void require_sane_factors(const Machine& machine, const GemmSpec& spec) {
  const bool has_factors = spec.a_has_factors || spec.b_has_factors;
  if (spec.macro_length < 0 || has_factors != (spec.macro_length > 0)) {
    throw InputError("GEMM", "factors of macro blocks go with a positive length, and it with them");
  }
  if (has_factors && spec.format.scale == ScaleKind::kUe4m3) {
    throw InputError("GEMM", "factors of macro blocks of a format whose tensors have a scale");
  }
  if (spec.macro_length % machine.core.depth != 0) {
    throw InputError("GEMM", "macro blocks of " + std::to_string(spec.macro_length) +
                                 " are no multiple of the depth " +
                                 std::to_string(machine.core.depth));
  }
  if ((spec.a_has_factors && spec.a != OperandPath::kPacked) ||
      (spec.b_has_factors && spec.b != OperandPath::kPacked)) {
    throw InputError("GEMM", "factors of macro blocks of an online operand: only packed ones have");
  }
}

/// What an accumulator adds at once: a block, or a node of several.
int64_t addition_width(const GemmSpec& spec) { return node_width(spec.accumulation, spec.format); }

void require_sane_accumulation(const Machine& machine, const GemmSpec& spec) {
  const auto policy = [&] { return "policy '" + std::string(name_of(spec.accumulation)) + "'"; };
  if (!has_adder(spec.accumulation)) {
    throw InputError("--accumulate", policy() + " has no circuit in the core");
  }
  require_format_of(spec.accumulation, spec.format);
  if (machine.core.depth % addition_width(spec) != 0) {
    throw InputError("machine " + machine.name, "depth " + std::to_string(machine.core.depth) +
                                                    " is not a multiple of the " +
                                                    std::to_string(addition_width(spec)) +
                                                    " of K that " + policy() + " adds at once");
  }
  if (is_truncating(spec.accumulation) && spec.residual != ResidualPattern::kNone) {
    throw InputError("--residual", "it has no place in the order of " + policy());
  }
}

void require_sane(const Machine& machine, const GemmSpec& spec, const Tiling& tiling) {
  require_supported(machine.core, spec.format);
  if (spec.m <= 0 || spec.n <= 0 || spec.k <= 0) {
    throw InputError("GEMM", "M, N and K must be positive");
  }
  if (spec.residual != ResidualPattern::kNone && spec.a == OperandPath::kPacked) {
    throw InputError("GEMM", "the residual of a packed operand: it needs the operand online");
  }
  if (spec.residual_accumulator == ResidualAccumulator::kOwn &&
      spec.residual == ResidualPattern::kNone) {
    throw InputError("GEMM", "an accumulator for a residual, but no residual");
  }
  require_sane_factors(machine, spec);
  require_sane_accumulation(machine, spec);
  // The granules of 64 and 128 are numbers of the contract, and a step's worth at this depth only.
  constexpr int kGranuleDepth = 64;
  if (is_interleaved(spec) && machine.core.depth != kGranuleDepth) {
    throw InputError(
        "machine " + machine.name,
        "an interleaved residual needs a depth of 64, not " + std::to_string(machine.core.depth));
  }
  if (tiling.row_tiles <= 0 || tiling.column_tiles <= 0 || tiling.k_steps <= 0) {
    throw InputError("tiling", "tiles and steps must be positive");
  }
}

/// Region and chunk of a tiling, held to the GEMM's own extents.
struct Region {
  int64_t rows;
  int64_t columns;
  int64_t k;
};

Region region_of(const Machine& machine, const GemmSpec& spec, const Tiling& tiling) {
  const int64_t row_tiles = std::min(tiling.row_tiles, ceil_divide(spec.m, machine.core.rows));
  const int64_t column_tiles =
      std::min(tiling.column_tiles, ceil_divide(spec.n, machine.core.columns));
  const int64_t k_steps = std::min(tiling.k_steps, ceil_divide(spec.k, machine.core.depth));
  return {row_tiles * machine.core.rows, column_tiles * machine.core.columns,
          k_steps * machine.core.depth};
}

bool passes_twice(const GemmSpec& spec, const Region& region) {
  return spec.residual != ResidualPattern::kNone &&
         spec.residual_order == ResidualOrder::kAppended && region.k < spec.k;
}

/// A chunk that is cut inside a granule could not be followed by its residual.
bool cuts_granule(const GemmSpec& spec, const Region& region) {
  return is_interleaved(spec) && region.k < spec.k && region.k % granule(spec) != 0;
}

/// A chunk that is cut inside a macro block would need its factors twice.
bool cuts_macro_block(const GemmSpec& spec, const Region& region) {
  return spec.macro_length > 0 && region.k < spec.k && region.k % spec.macro_length != 0;
}

/// Regions and chunks take whole tiles of a mask.
bool cuts_mask(const GemmSpec& spec, const Region& region) {
  return spec.residual == ResidualPattern::kBlock32x64At50 &&
         ((region.rows < spec.m && region.rows % kResidualTileRows != 0) ||
          (region.k < spec.k && region.k % kResidualTileChannels != 0));
}

void require_within(const Machine& machine, const char* buffer, int64_t needed, int64_t present) {
  if (needed > present) {
    throw InputError("machine " + machine.name,
                     std::string(buffer) + " of " + std::to_string(present) +
                         " bytes is too small for a tiling of " + std::to_string(needed));
  }
}

BufferUse buffer_use(const GemmSpec& spec, const Tiling& tiling, const Region& region) {
  const int64_t rows = std::min(region.rows, spec.m);
  const int64_t columns = std::min(region.columns, spec.n);
  const int64_t k = std::min(region.k, spec.k);
  const bool kept = tiling.residency == Residency::kOuterKept;
  const int64_t a_pieces =
      kept && tiling.loop_order == LoopOrder::kRowsOuter ? ceil_divide(spec.k, region.k) : 1;
  const int64_t b_pieces =
      kept && tiling.loop_order == LoopOrder::kColumnsOuter ? ceil_divide(spec.k, region.k) : 1;
  const int64_t blocks = ceil_divide(k, spec.format.block);
  const int64_t dense = dense_block_bytes(spec);
  const int64_t residual = residual_block_bytes(spec);
  const int64_t a_block = passes_twice(spec, region) ? std::max(dense, residual) : dense + residual;
  const char* place = "bytes of a buffer";
  const int64_t l1 =
      checked_add(checked_multiply(a_pieces, a_piece_bytes(spec, rows, k), place),
                  checked_multiply(b_pieces, b_piece_bytes(spec, columns, k), place), place);
  const int64_t l0c = checked_multiply(checked_multiply(region.rows, region.columns, place),
                                       accumulators_an_output(spec), place);
  return {
      checked_multiply(kHalves, l1, place),
      checked_add(checked_multiply(kHalves * a_block, checked_multiply(rows, blocks, place), place),
                  kHalves * a_factor_bytes(spec, rows, k), place),
      checked_add(
          checked_multiply(kHalves * dense, checked_multiply(columns, blocks, place), place),
          kHalves * b_factor_bytes(spec, columns, k), place),
      checked_multiply(kHalves * kAccumulatorBytes, l0c, place)};
}

}  // namespace

std::string_view name_of(StepKind kind) {
  constexpr std::array<std::string_view, kStepKinds> kNames{"dense", "residual", "sparse",
                                                            "dense_and_sparse", "sparse_beside"};
  return kNames.at(static_cast<size_t>(kind));
}

bool operator==(const ChunkBody& a, const ChunkBody& b) {
  const auto tie = [](const ChunkBody& body) {
    return std::tie(body.rows, body.columns, body.row_tiles, body.column_tiles, body.k, body.blocks,
                    body.part, body.first_of_region, body.last_of_region, body.load_a_bytes,
                    body.load_b_bytes, body.load_a_takes, body.load_b_takes, body.move_a_frees,
                    body.move_b_frees, body.move_a_bytes, body.move_b_bytes, body.mask_bytes,
                    body.quantize_a_blocks, body.quantize_b_blocks, body.quantize_a_beats,
                    body.quantize_b_beats, body.start_bytes, body.store_bytes);
  };
  return tie(a) == tie(b);
}

BufferUse buffer_use(const Machine& machine, const GemmSpec& spec, const Tiling& tiling) {
  return buffer_use(spec, tiling, region_of(machine, spec, tiling));
}

bool fits(const Machine& machine, const GemmSpec& spec, const Tiling& tiling) {
  require_sane(machine, spec, tiling);
  const Region region = region_of(machine, spec, tiling);
  const BufferUse use = buffer_use(spec, tiling, region);
  return use.l1_bytes <= machine.l1_bytes && use.l0a_bytes <= machine.l0a_bytes &&
         use.l0b_bytes <= machine.l0b_bytes && use.l0c_bytes <= machine.l0c_bytes &&
         !cuts_granule(spec, region) && !cuts_macro_block(spec, region) && !cuts_mask(spec, region);
}

Program::Program(const Machine& machine, const GemmSpec& spec, const Tiling& tiling)
    : machine_(machine), spec_(spec), tiling_(tiling) {
  require_sane(machine, spec, tiling);
  const Region region = region_of(machine, spec, tiling);
  const BufferUse use = buffer_use(spec, tiling, region);
  require_within(machine, "L1", use.l1_bytes, machine.l1_bytes);
  require_within(machine, "L0A", use.l0a_bytes, machine.l0a_bytes);
  require_within(machine, "L0B", use.l0b_bytes, machine.l0b_bytes);
  require_within(machine, "L0C", use.l0c_bytes, machine.l0c_bytes);
  if (cuts_granule(spec, region)) {
    throw InputError("tiling", "a chunk of " + std::to_string(region.k) +
                                   " of K is no multiple of the residual's granule of " +
                                   std::to_string(granule(spec)));
  }
  if (cuts_macro_block(spec, region)) {
    throw InputError("tiling", "a chunk of " + std::to_string(region.k) +
                                   " of K is no multiple of the macro block of " +
                                   std::to_string(spec.macro_length));
  }
  if (cuts_mask(spec, region)) {
    throw InputError("tiling", "a region of " + std::to_string(region.rows) +
                                   " rows and chunks of " + std::to_string(region.k) +
                                   " of K cut the residual's mask of tiles of 32 x 64");
  }
  region_rows_ = region.rows;
  region_columns_ = region.columns;
  chunk_k_ = region.k;
  row_regions_ = ceil_divide(spec.m, region_rows_);
  column_regions_ = ceil_divide(spec.n, region_columns_);
  k_chunks_ = ceil_divide(spec.k, chunk_k_);
  passes_twice_ = passes_twice(spec, region);
}

int64_t Program::outer_count() const {
  return tiling_.loop_order == LoopOrder::kRowsOuter ? row_regions_ : column_regions_;
}

int64_t Program::inner_count() const {
  return tiling_.loop_order == LoopOrder::kRowsOuter ? column_regions_ : row_regions_;
}

int64_t Program::row_region(const ChunkIndex& index) const {
  return tiling_.loop_order == LoopOrder::kRowsOuter ? index.outer : index.inner;
}

int64_t Program::column_region(const ChunkIndex& index) const {
  return tiling_.loop_order == LoopOrder::kRowsOuter ? index.inner : index.outer;
}

int64_t Program::first_row(const ChunkIndex& index) const {
  return row_region(index) * region_rows_;
}

int64_t Program::first_column(const ChunkIndex& index) const {
  return column_region(index) * region_columns_;
}

int64_t Program::first_block(const ChunkIndex& index) const {
  return index.chunk % k_chunks_ * chunk_k_ / spec_.format.block;
}

Program::Extent Program::extent(const ChunkIndex& index) const {
  const int64_t first_k = index.chunk % k_chunks_ * chunk_k_;
  const int64_t k = std::min(chunk_k_, spec_.k - first_k);
  return {std::min(region_rows_, spec_.m - first_row(index)),
          std::min(region_columns_, spec_.n - first_column(index)), k,
          ceil_divide(k, spec_.format.block)};
}

bool Program::keeps_a() const {
  return tiling_.residency == Residency::kOuterKept && tiling_.loop_order == LoopOrder::kRowsOuter;
}

bool Program::keeps_b() const {
  return tiling_.residency == Residency::kOuterKept &&
         tiling_.loop_order == LoopOrder::kColumnsOuter;
}

int64_t Program::a_l1_offset(const ChunkIndex& index) const {
  return keeps_a() ? a_offset(index) - a_offset({index.outer, index.inner, 0}) : 0;
}

int64_t Program::b_l1_offset(const ChunkIndex& index) const {
  return keeps_b() ? b_offset(index) - b_offset({index.outer, index.inner, 0}) : 0;
}

int64_t Program::a_half_bytes() const {
  const int64_t rows = std::min(region_rows_, spec_.m);
  return keeps_a() ? row_image_bytes(rows)
                   : a_piece_bytes(spec_, rows, std::min(chunk_k_, spec_.k));
}

int64_t Program::b_half_bytes() const {
  const int64_t columns = std::min(region_columns_, spec_.n);
  return keeps_b() ? column_image_bytes(columns)
                   : b_piece_bytes(spec_, columns, std::min(chunk_k_, spec_.k));
}

ChunkBody Program::body(const ChunkIndex& index) const {
  const Extent extent = this->extent(index);
  const bool a_kept = keeps_a();
  const bool b_kept = keeps_b();
  const bool loads_kept = index.inner == 0 && index.chunk < k_chunks_;
  const bool last_use = index.inner == inner_count() - 1 && index.chunk == chunk_count() - 1;

  ChunkBody body{};
  body.rows = extent.rows;
  body.columns = extent.columns;
  body.row_tiles = ceil_divide(extent.rows, machine_.core.rows);
  body.column_tiles = ceil_divide(extent.columns, machine_.core.columns);
  body.k = extent.k;
  body.blocks = extent.blocks;
  body.part = !passes_twice_            ? ChunkPart::kWhole
              : index.chunk < k_chunks_ ? ChunkPart::kDense
                                        : ChunkPart::kResidual;
  body.first_of_region = index.chunk == 0;
  body.last_of_region = index.chunk == chunk_count() - 1;

  const int64_t piece_a = a_piece_bytes(spec_, extent.rows, extent.k);
  const int64_t piece_b = b_piece_bytes(spec_, extent.columns, extent.k);
  body.load_a_bytes = a_kept && !loads_kept ? 0 : piece_a;
  body.load_b_bytes = b_kept && !loads_kept ? 0 : piece_b;
  body.load_a_takes = a_kept ? loads_kept && index.chunk == 0 : true;
  body.load_b_takes = b_kept ? loads_kept && index.chunk == 0 : true;
  body.move_a_frees = a_kept ? last_use : true;
  body.move_b_frees = b_kept ? last_use : true;
  body.quantize_a_blocks = spec_.a == OperandPath::kPacked ? 0 : extent.rows * extent.blocks;
  body.quantize_b_blocks = spec_.b == OperandPath::kPacked ? 0 : extent.columns * extent.blocks;
  body.quantize_a_beats = ceil_divide(body.quantize_a_blocks, blocks_a_beat());
  body.quantize_b_beats = ceil_divide(body.quantize_b_blocks, blocks_a_beat());
  body.move_a_bytes =
      spec_.a == OperandPath::kPacked ? piece_a : block_bytes(spec_.a) * body.quantize_a_blocks;
  body.move_b_bytes =
      spec_.b == OperandPath::kPacked ? piece_b : block_bytes(spec_.b) * body.quantize_b_blocks;
  body.mask_bytes = nibblecore::mask_bytes(spec_, extent.rows, extent.k);
  const int64_t outputs = extent.rows * extent.columns;
  body.start_bytes =
      body.first_of_region && spec_.start == Start::kFromMemory ? outputs * kAccumulatorBytes : 0;
  body.store_bytes = body.last_of_region ? outputs * output_bytes(spec_.output) : 0;
  return body;
}

int64_t Program::blocks_a_beat() const {
  return std::max<int64_t>(1, machine_.quantizer_values_per_cycle / spec_.format.block);
}

int64_t Program::cycles_a_beat() const {
  return ceil_divide(spec_.format.block, machine_.quantizer_values_per_cycle);
}

int64_t Program::block_bytes(OperandPath path) const {
  return spec_.format.block * input_bytes(path);
}

int64_t Program::additions(StepKind kind) const {
  const int64_t additions = machine_.core.depth / addition_width(spec_);
  return kind == StepKind::kSparse || kind == StepKind::kDenseAndSparse ? 2 * additions : additions;
}

void Program::add_dense(int64_t first, int64_t end, std::vector<Pass>& passes) const {
  const int64_t blocks = machine_.core.depth / spec_.format.block;
  for (int64_t block = first; block < end; block += blocks) {
    passes.push_back(
        {StepKind::kDense, block, static_cast<int32_t>(std::min(blocks, end - block)), 0});
  }
}

void Program::add_residual(int64_t first, int64_t end, std::vector<Pass>& passes) const {
  const bool sparse = spec_.residual == ResidualPattern::kTwoOfFour;
  const bool serial = spec_.residual_build == ResidualBuild::kSerial;
  const StepKind kind = !sparse  ? StepKind::kResidual
                        : serial ? StepKind::kSparse
                                 : StepKind::kSparseBeside;
  const int64_t depth_blocks = machine_.core.depth / spec_.format.block;
  const int64_t blocks = kind == StepKind::kSparse ? 2 * depth_blocks : depth_blocks;
  for (int64_t block = first; block < end; block += blocks) {
    passes.push_back({kind, block, 0, static_cast<int32_t>(std::min(blocks, end - block))});
  }
}

std::vector<Pass> Program::passes(const ChunkBody& body) const {
  std::vector<Pass> passes = passes_without_epilogues(body);
  if (spec_.macro_length > 0) {
    mark_epilogues(passes);
  }
  return passes;
}

// The chunk ends with a macro block, or with K.
void Program::mark_epilogues(std::vector<Pass>& passes) const {
  const bool own = spec_.residual_accumulator == ResidualAccumulator::kOwn;
  const auto macro_block = [&](int64_t block) { return block / macro_blocks(); };
  // From the last run of blocks to the first: which macro block follows on the same accumulator.
  constexpr int64_t kNone = -1;
  int64_t dense_next = kNone;
  int64_t residual_next = kNone;
  const auto mark = [&](Pass& pass, int64_t blocks, int64_t& next, bool& closes) {
    if (blocks == 0) {
      return;
    }
    const int64_t first = macro_block(pass.first_block);
    const int64_t last = macro_block(pass.first_block + blocks - 1);
    closes = next != last;
    next = first;
    pass.epilogues += static_cast<int32_t>(last - first) + (closes ? 1 : 0);
  };
  for (auto pass = passes.rbegin(); pass != passes.rend(); ++pass) {
    mark(*pass, pass->residual_blocks, own ? residual_next : dense_next, pass->closes_residual);
    mark(*pass, pass->dense_blocks, dense_next, pass->closes_dense);
  }
}

std::vector<Pass> Program::passes_without_epilogues(const ChunkBody& body) const {
  std::vector<Pass> passes;
  if (spec_.residual == ResidualPattern::kNone || body.part == ChunkPart::kDense) {
    add_dense(0, body.blocks, passes);
    return passes;
  }
  if (body.part == ChunkPart::kResidual) {
    add_residual(0, body.blocks, passes);
    return passes;
  }
  const bool beside = spec_.residual == ResidualPattern::kTwoOfFour &&
                      spec_.residual_build == ResidualBuild::kParallel && is_interleaved(spec_);
  const int64_t run = is_interleaved(spec_) ? granule(spec_) / spec_.format.block : body.blocks;
  for (int64_t first = 0; first < body.blocks; first += run) {
    const int64_t end = std::min(body.blocks, first + run);
    if (beside) {
      const auto blocks = static_cast<int32_t>(end - first);
      passes.push_back({StepKind::kDenseAndSparse, first, blocks, blocks});
      continue;
    }
    add_dense(first, end, passes);
    add_residual(first, end, passes);
  }
  return passes;
}

int64_t Program::steps() const {
  const char* place = "steps of a GEMM";
  const int64_t tiles = checked_multiply(ceil_divide(spec_.m, machine_.core.rows),
                                         ceil_divide(spec_.n, machine_.core.columns), place);
  const auto count = [&](int64_t chunk) {
    return static_cast<int64_t>(passes(body({0, 0, chunk})).size());
  };
  int64_t all = 0;
  for (int64_t first = 0; first < chunk_count(); first += k_chunks_) {
    const int64_t whole = k_chunks_ == 1 ? 0 : checked_multiply(k_chunks_ - 1, count(first), place);
    all = checked_add(all, checked_add(whole, count(first + k_chunks_ - 1), place), place);
  }
  return checked_multiply(tiles, all, place);
}

int64_t Program::row_image_bytes(int64_t rows) const {
  return (k_chunks_ - 1) * a_piece_bytes(spec_, rows, chunk_k_) +
         a_piece_bytes(spec_, rows, spec_.k - (k_chunks_ - 1) * chunk_k_);
}

int64_t Program::column_image_bytes(int64_t columns) const {
  return (k_chunks_ - 1) * b_piece_bytes(spec_, columns, chunk_k_) +
         b_piece_bytes(spec_, columns, spec_.k - (k_chunks_ - 1) * chunk_k_);
}

int64_t Program::a_offset(const ChunkIndex& index) const {
  return row_region(index) * row_image_bytes(region_rows_) +
         index.chunk % k_chunks_ * a_piece_bytes(spec_, extent(index).rows, chunk_k_);
}

int64_t Program::b_offset(const ChunkIndex& index) const {
  return column_region(index) * column_image_bytes(region_columns_) +
         index.chunk % k_chunks_ * b_piece_bytes(spec_, extent(index).columns, chunk_k_);
}

int64_t Program::start_offset(const ChunkIndex& index) const {
  // Row regions before this one are whole; of this one, so are the columns before.
  return (first_row(index) * spec_.n + extent(index).rows * first_column(index)) *
         kAccumulatorBytes;
}

int64_t Program::store_offset(const ChunkIndex& index) const {
  return start_offset(index) / kAccumulatorBytes * output_bytes(spec_.output);
}

int64_t Program::a_image_bytes() const {
  const int64_t whole =
      checked_multiply(row_regions_ - 1, row_image_bytes(region_rows_), "bytes of operand A");
  return checked_add(whole, row_image_bytes(spec_.m - (row_regions_ - 1) * region_rows_),
                     "bytes of operand A");
}

int64_t Program::b_image_bytes() const {
  const int64_t whole = checked_multiply(column_regions_ - 1, column_image_bytes(region_columns_),
                                         "bytes of operand B");
  return checked_add(whole, column_image_bytes(spec_.n - (column_regions_ - 1) * region_columns_),
                     "bytes of operand B");
}

int64_t Program::start_image_bytes() const {
  return spec_.start == Start::kZero
             ? 0
             : checked_multiply(checked_multiply(spec_.m, spec_.n, "outputs"), kAccumulatorBytes,
                                "bytes of the start values");
}

int64_t Program::store_image_bytes() const {
  return checked_multiply(checked_multiply(spec_.m, spec_.n, "outputs"), output_bytes(spec_.output),
                          "bytes of the result");
}

bool advance(const Program& program, ChunkIndex& index) {
  if (++index.chunk < program.chunk_count()) {
    return true;
  }
  index.chunk = 0;
  if (++index.inner < program.inner_count()) {
    return true;
  }
  index.inner = 0;
  return ++index.outer < program.outer_count();
}

}  // namespace nibblecore
