// SPDX-License-Identifier: Apache-2.0
#include "model/machine/work_counts.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/machine/program_cycles.hpp"
#include "model/machine/program_sizes.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

/// The counts that are not 0, by name.
std::vector<std::pair<std::string, int64_t>> named(const WorkCounts& work) {
  std::vector<std::pair<std::string, int64_t>> counts;
  for (size_t i = 0; i < work.counts.size(); ++i) {
    if (work.counts[i] != 0) {
      counts.emplace_back(work_records()[i].name, work.counts[i]);
    }
  }
  return counts;
}

using Named = std::vector<std::pair<std::string, int64_t>>;

TEST(WorkCounts, OfOneTile) {
  const Program program(round_machine(), {16, 16, 64, kMxfp4}, {1, 1, 1});
  EXPECT_EQ(named(work_counts(program)), (Named{{"mxfp4_dense_macs", 16 * 16 * 64},
                                                {"mxfp4_scale_products", 16 * 16 * 2},
                                                {"additions", 16 * 16 * 2},
                                                {"memory_loaded_bytes", 2 * 544},
                                                {"memory_stored_bytes", 1024},
                                                {"l1_written_bytes", 2 * 544},
                                                {"l1_read_bytes", 2 * 544},
                                                {"l0_written_bytes", 2 * 544},
                                                {"l0_read_bytes", 2 * 544},
                                                {"l0c_written_bytes", 1024},
                                                {"l0c_read_bytes", 2 * 1024}}));
}

// The case ResidualWithStartValues of docs/cycles.md: two regions of a tile and three passes.
TEST(WorkCounts, OfAResidualWithStartValues) {
  GemmSpec spec{16, 32, 128, kMxfp4, OperandPath::kOnlineBf16};
  spec.residual = ResidualPattern::kTwoOfFour;
  spec.start = Start::kFromMemory;
  spec.output = OutputWidth::kBf16;
  const Program program(round_machine(), spec, {1, 1, 2});
  EXPECT_EQ(named(work_counts(program)), (Named{{"mxfp4_dense_macs", 16 * 32 * 128},
                                                {"mxfp4_residual_macs", 16 * 32 * 64},
                                                {"mxfp4_scale_products", 16 * 32 * 4 * 2},
                                                {"mxfp4_quantized_values", 2 * 2 * 16 * 128},
                                                {"residual_values", 2 * 16 * 128},
                                                {"additions", 16 * 32 * 4 * 2},
                                                {"memory_loaded_bytes", 2 * (4096 + 1088 + 1024)},
                                                {"memory_stored_bytes", 2 * 512},
                                                {"l1_written_bytes", 2 * (4096 + 1088)},
                                                {"l1_read_bytes", 2 * (4096 + 1088)},
                                                {"l0_written_bytes", 2 * (64 * (17 + 13) + 1088)},
                                                {"l0_read_bytes", 2 * (64 * (17 + 13) + 2 * 1088)},
                                                {"l0c_written_bytes", 2 * (3 * 1024 + 1024)},
                                                {"l0c_read_bytes", 2 * (3 * 1024 + 1024)}}));
}

/// What the steps of a program do, by making every one of them on every tile.
struct StepWork {
  int64_t dense_macs = 0;
  int64_t residual_macs = 0;
  int64_t scale_products = 0;
  int64_t additions = 0;
  int64_t epilogues = 0;
  int64_t l0_read = 0;
  int64_t l0c_written = 0;
};

void add_step(const Program& program, const ChunkBody& body, const Pass& pass, int64_t rows,
              int64_t columns, StepWork& work) {
  const GemmSpec& spec = program.spec();
  const int64_t node = node_width(spec.accumulation, spec.format);
  const int64_t outputs = rows * columns;
  const auto values = [&](int64_t blocks) {
    const int64_t first = pass.first_block * spec.format.block;
    return std::min(body.k, first + blocks * spec.format.block) - first;
  };
  if (pass.dense_blocks > 0) {
    work.dense_macs += outputs * values(pass.dense_blocks);
    work.additions += outputs * ceil_divide(values(pass.dense_blocks), node);
  }
  if (pass.residual_blocks > 0) {
    const int64_t k = values(pass.residual_blocks);
    const bool sparse = spec.residual == ResidualPattern::kTwoOfFour;
    work.residual_macs += outputs * (sparse ? ceil_divide(k, 4) * 2 : k);
    work.additions += outputs * ceil_divide(k, node);
  }
  work.scale_products += outputs * (pass.dense_blocks + pass.residual_blocks);
  work.epilogues += outputs * pass.epilogues;
  work.l0_read +=
      rows * (pass.dense_blocks * dense_block_bytes(spec) +
              pass.residual_blocks * residual_block_bytes(spec)) +
      columns * std::max(pass.dense_blocks, pass.residual_blocks) * dense_block_bytes(spec);
  work.l0c_written += outputs * 4 * (1 + 2 * pass.epilogues);
}

StepWork step_work(const Program& program) {
  const CoreDescription& core = program.machine().core;
  StepWork work;
  ChunkIndex index;
  do {
    const ChunkBody body = program.body(index);
    const std::vector<Pass> passes = program.passes(body);
    for (int64_t row = 0; row < body.rows; row += core.rows) {
      for (int64_t column = 0; column < body.columns; column += core.columns) {
        const int64_t rows = std::min<int64_t>(core.rows, body.rows - row);
        const int64_t columns = std::min<int64_t>(core.columns, body.columns - column);
        for (const Pass& pass : passes) {
          add_step(program, body, pass, rows, columns, work);
        }
      }
    }
  } while (advance(program, index));
  return work;
}

/// The sum of a format's counter over all formats: a GEMM has one format.
int64_t of_any_format(const WorkCounts& work, Work mxfp4) {
  const auto first = static_cast<size_t>(mxfp4);
  return work.counts.at(first) + work.counts.at(first + 4) + work.counts.at(first + 8);
}

TEST(WorkCounts, AreWhatEveryStepDoes) {
  std::mt19937 random(50);
  for (int i = 0; i < 1500; ++i) {
    const RandomProgram one = random_program(random, {5, 8});
    SCOPED_TRACE(one.text());
    const Program program = one.program();
    const WorkCounts work = work_counts(program);
    const StepWork steps = step_work(program);
    EXPECT_EQ(of_any_format(work, Work::kMxfp4DenseMacs), steps.dense_macs);
    EXPECT_EQ(steps.dense_macs, one.spec.m * one.spec.n * one.spec.k);
    EXPECT_EQ(of_any_format(work, Work::kMxfp4ResidualMacs), steps.residual_macs);
    EXPECT_EQ(of_any_format(work, Work::kMxfp4ScaleProducts), steps.scale_products);
    EXPECT_EQ(work[Work::kAdditions], steps.additions);
    EXPECT_EQ(work[Work::kEpilogues], steps.epilogues);
    if (one.spec.macro_length == 0) {
      EXPECT_EQ(work[Work::kL0ReadBytes], steps.l0_read);
    } else {
      EXPECT_GT(work[Work::kL0ReadBytes], steps.l0_read);  // the factors too
    }
    const CycleReport report = program_cycles(program);
    EXPECT_EQ(work[Work::kMemoryLoadedBytes], report.loaded_bytes);
    EXPECT_EQ(work[Work::kMemoryStoredBytes], report.stored_bytes);
    EXPECT_EQ(of_any_format(work, Work::kMxfp4QuantizedValues) >=
                  report.quantized_blocks * one.spec.format.block,
              true);
    EXPECT_EQ(work[Work::kL0cWrittenBytes], steps.l0c_written + program.start_image_bytes());
  }
}

TEST(WorkCounts, OfAPartitionAreThoseOfAllCores) {
  Machine machine = round_machine();
  machine.cores = 6;
  const GemmSpec spec{75, 200, 300, kHif4, OperandPath::kOnlineBf16};
  const Partition partition = choose_partition(machine, spec);
  WorkCounts sum;
  for (const CoreShare& share : partition.shares) {
    sum.add(work_counts(partition.programs.at(share.program).program), 1);
  }
  EXPECT_GT(partition.shares.size(), 1U);
  EXPECT_EQ(work_counts(partition), sum);
  EXPECT_EQ(sum[Work::kHif4DenseMacs], 75 * 200 * 300);
}

TEST(WorkCounts, OfABf16GemmAreItsProductsAndItsOperandsOnce) {
  EXPECT_EQ(named(bf16_work(3, 5, 7)), (Named{{"bf16_macs", 3 * 5 * 7},
                                              {"memory_loaded_bytes", 2 * (3 * 7 + 7 * 5)},
                                              {"memory_stored_bytes", 2 * 3 * 5}}));
}

TEST(WorkCounts, SumsStayIn64Bits) {
  WorkCounts work;
  work[Work::kBf16Macs] = int64_t{1} << 40;
  WorkCounts sum;
  EXPECT_NO_THROW(sum.add(work, 1 << 22));
  EXPECT_THROW(sum.add(work, 1 << 22), InputError);
}

}  // namespace
}  // namespace nibblecore
