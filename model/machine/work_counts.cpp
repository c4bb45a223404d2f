// SPDX-License-Identifier: Apache-2.0
#include "model/machine/work_counts.hpp"

#include <vector>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/machine/program_sizes.hpp"
#include "model/machine/trip_runs.hpp"

namespace nibblecore {
namespace {

constexpr std::string_view kPlace = "work of a GEMM";
constexpr int64_t kNumberBytes = 4;  // an accumulator

constexpr std::array<std::string_view, kWorkGroups> kGroupNames{
    "arithmetic", "quantizer", "l0", "l0c", "l1", "memory"};

constexpr std::array<WorkRecord, kWorks> kRecords{{
    {"mxfp4_dense_macs", "mxfp4_mac", WorkGroup::kArithmetic},
    {"mxfp4_residual_macs", "mxfp4_mac", WorkGroup::kArithmetic},
    {"mxfp4_scale_products", "mxfp4_scale_product", WorkGroup::kArithmetic},
    {"mxfp4_quantized_values", "mxfp4_quantized_value", WorkGroup::kQuantizer},
    {"hif4_dense_macs", "hif4_mac", WorkGroup::kArithmetic},
    {"hif4_residual_macs", "hif4_mac", WorkGroup::kArithmetic},
    {"hif4_scale_products", "hif4_scale_product", WorkGroup::kArithmetic},
    {"hif4_quantized_values", "hif4_quantized_value", WorkGroup::kQuantizer},
    {"nvfp4_dense_macs", "nvfp4_mac", WorkGroup::kArithmetic},
    {"nvfp4_residual_macs", "nvfp4_mac", WorkGroup::kArithmetic},
    {"nvfp4_scale_products", "nvfp4_scale_product", WorkGroup::kArithmetic},
    {"nvfp4_quantized_values", "nvfp4_quantized_value", WorkGroup::kQuantizer},
    {"bf16_macs", "bf16_mac", WorkGroup::kArithmetic},
    {"residual_values", "residual_value", WorkGroup::kQuantizer},
    {"additions", "addition", WorkGroup::kArithmetic},
    {"epilogues", "epilogue", WorkGroup::kArithmetic},
    {"memory_loaded_bytes", "memory_byte", WorkGroup::kMemory},
    {"memory_stored_bytes", "memory_byte", WorkGroup::kMemory},
    {"l1_written_bytes", "l1_byte", WorkGroup::kL1},
    {"l1_read_bytes", "l1_byte", WorkGroup::kL1},
    {"l0_written_bytes", "l0_byte", WorkGroup::kL0},
    {"l0_read_bytes", "l0_byte", WorkGroup::kL0},
    {"l0c_written_bytes", "l0c_byte", WorkGroup::kL0c},
    {"l0c_read_bytes", "l0c_byte", WorkGroup::kL0c},
}};

int64_t times(int64_t a, int64_t b) { return checked_multiply(a, b, kPlace); }
int64_t times(int64_t a, int64_t b, int64_t c) { return times(times(a, b), c); }
int64_t plus(int64_t a, int64_t b) { return checked_add(a, b, kPlace); }

/// The counters that each format has of its own.
struct FormatWork {
  Work dense_macs;
  Work residual_macs;
  Work scale_products;
  Work quantized_values;
};

FormatWork work_of(const BlockFormat& format) {
  constexpr std::array<Work, 3> kFirst{Work::kMxfp4DenseMacs, Work::kHif4DenseMacs,
                                       Work::kNvfp4DenseMacs};
  for (size_t i = 0; i < kFirst.size(); ++i) {
    if (kBlockFormats.at(i).scale == format.scale) {
      const int first = static_cast<int>(kFirst.at(i));
      return {static_cast<Work>(first), static_cast<Work>(first + 1), static_cast<Work>(first + 2),
              static_cast<Work>(first + 3)};
    }
  }
  throw InternalError("a format whose work is not counted");
}

/// The passes of a chunk and what they do to one output.
struct PassWork {
  int64_t passes = 0;
  int64_t epilogues = 0;
  bool beside = false;  ///< the residual goes with the dense blocks, in lanes of its own
};

PassWork pass_work(const PassCounts& counts) {
  PassWork work;
  work.passes = counts.all();
  for (const PassCounts::ByEpilogues& of_kind : counts.passes) {
    for (size_t epilogues = 0; epilogues < of_kind.size(); ++epilogues) {
      work.epilogues += of_kind[epilogues] * static_cast<int64_t>(epilogues);
    }
  }
  work.beside =
      counts.passes[static_cast<size_t>(StepKind::kDenseAndSparse)] != PassCounts::ByEpilogues{};
  return work;
}

/// Products of a residual's values with those of B for one output and k of K: a 2:4 residual has
/// two of every four, any other pattern passes through the array whole.
int64_t residual_products(const GemmSpec& spec, int64_t k) {
  return spec.residual == ResidualPattern::kTwoOfFour ? 2 * ceil_divide(k, 4) : k;
}

WorkCounts trip_work(const Program& program, const ChunkBody& body, const PassWork& passes) {
  const GemmSpec& spec = program.spec();
  const FormatWork format = work_of(spec.format);
  const bool has_dense = body.part != ChunkPart::kResidual;
  const bool has_residual =
      spec.residual != ResidualPattern::kNone && body.part != ChunkPart::kDense;
  const int64_t parts = (has_dense ? 1 : 0) + (has_residual ? 1 : 0);
  const int64_t outputs = times(body.rows, body.columns);
  const int64_t dense_bytes = dense_block_bytes(spec);
  const int64_t residual_bytes = residual_block_bytes(spec);

  WorkCounts work;
  if (has_dense) {
    work[format.dense_macs] = times(outputs, body.k);
  }
  if (has_residual) {
    work[format.residual_macs] = times(outputs, residual_products(spec, body.k));
    work[Work::kResidualValues] = times(body.quantize_a_blocks, spec.format.block);
  }
  work[format.scale_products] = times(outputs, body.blocks, parts);
  // A residual is what the first quantization of the same block leaves.
  work[format.quantized_values] =
      plus(times(body.quantize_a_blocks, spec.format.block, has_residual ? 2 : 1),
           times(body.quantize_b_blocks, spec.format.block));
  const int64_t node = node_width(spec.accumulation, spec.format);
  work[Work::kAdditions] = times(outputs, ceil_divide(body.k, node), parts);
  work[Work::kEpilogues] = times(outputs, passes.epilogues);

  const int64_t loaded = plus(body.load_a_bytes, body.load_b_bytes);
  work[Work::kMemoryLoadedBytes] = plus(loaded, body.start_bytes);
  work[Work::kMemoryStoredBytes] = body.store_bytes;
  work[Work::kL1WrittenBytes] = loaded;
  work[Work::kL1ReadBytes] = plus(plus(body.move_a_bytes, body.move_b_bytes), body.mask_bytes);

  const int64_t a_blocks = times(body.rows, body.blocks);
  const int64_t b_blocks = times(body.columns, body.blocks);
  const int64_t a_bytes =
      plus(times(a_blocks, (has_dense ? dense_bytes : 0) + (has_residual ? residual_bytes : 0)),
           a_factor_bytes(spec, body.rows, body.k));
  const int64_t b_bytes =
      plus(times(b_blocks, dense_bytes), b_factor_bytes(spec, body.columns, body.k));
  work[Work::kL0WrittenBytes] = plus(a_bytes, b_bytes);
  // A row of A is read for every tile beside it, a column of B for every tile below it, and once
  // more where the residual has steps of its own.
  work[Work::kL0ReadBytes] = plus(times(a_bytes, body.column_tiles),
                                  times(b_bytes, body.row_tiles, passes.beside ? 1 : parts));

  const int64_t step_bytes = times(outputs, kNumberBytes, passes.passes);
  const int64_t epilogue_bytes = times(outputs, 2 * kNumberBytes, passes.epilogues);
  const int64_t stored_numbers = spec.residual_accumulator == ResidualAccumulator::kOwn ? 2 : 1;
  work[Work::kL0cWrittenBytes] = plus(plus(step_bytes, epilogue_bytes), body.start_bytes);
  work[Work::kL0cReadBytes] =
      plus(plus(step_bytes, epilogue_bytes),
           body.last_of_region ? times(outputs, kNumberBytes, stored_numbers) : 0);
  return work;
}

}  // namespace

std::string_view name_of(WorkGroup group) { return kGroupNames.at(static_cast<size_t>(group)); }

const std::array<WorkRecord, kWorks>& work_records() { return kRecords; }

void WorkCounts::add(const WorkCounts& other, int64_t times_done) {
  for (size_t i = 0; i < counts.size(); ++i) {
    counts[i] = plus(counts[i], times(other.counts[i], times_done));
  }
}

WorkCounts work_counts(const Program& program) {
  const std::vector<ChunkRun> chunks = chunk_runs(program);
  WorkCounts work;
  for (const IndexRun& outer : index_runs(program.outer_count())) {
    for (const IndexRun& inner : index_runs(program.inner_count())) {
      for (const ChunkRun& run : chunks) {
        const ChunkBody body = program.body({outer.first, inner.first, run.indices.first});
        work.add(trip_work(program, body, pass_work(run.passes)),
                 times(outer.count, inner.count, run.indices.count));
      }
    }
  }
  return work;
}

WorkCounts work_counts(const Partition& partition) {
  WorkCounts work;
  for (const TimedProgram& timed : partition.programs) {
    work.add(work_counts(timed.program), timed.count);
  }
  return work;
}

WorkCounts bf16_work(int64_t m, int64_t n, int64_t k) {
  constexpr int64_t kBytes = 2;
  WorkCounts work;
  work[Work::kBf16Macs] = times(m, n, k);
  work[Work::kMemoryLoadedBytes] = times(plus(times(m, k), times(k, n)), kBytes);
  work[Work::kMemoryStoredBytes] = times(m, n, kBytes);
  return work;
}

}  // namespace nibblecore
