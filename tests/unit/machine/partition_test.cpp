// SPDX-License-Identifier: Apache-2.0
#include "model/machine/partition.hpp"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "model/common/checked.hpp"
#include "model/common/error.hpp"
#include "model/machine/program_cycles.hpp"
#include "tests/unit/machine/random_programs.hpp"

namespace nibblecore {
namespace {

/// Every output belongs to one share, and programs fit their shares.
void expect_covers(const Partition& partition, const GemmSpec& spec, const Machine& machine) {
  std::vector<int> owners(static_cast<size_t>(spec.m * spec.n));
  std::vector<int64_t> counts(partition.programs.size());
  int64_t slowest = 0;
  for (const CoreShare& share : partition.shares) {
    EXPECT_EQ(share.first_row % machine.core.rows, 0);
    EXPECT_EQ(share.first_column % machine.core.columns, 0);
    for (int64_t row = share.first_row; row < share.first_row + share.rows; ++row) {
      for (int64_t column = share.first_column; column < share.first_column + share.columns;
           ++column) {
        ++owners[static_cast<size_t>(row * spec.n + column)];
      }
    }
    const TimedProgram& timed = partition.programs.at(share.program);
    ++counts[share.program];
    EXPECT_EQ(timed.program.spec().m, share.rows);
    EXPECT_EQ(timed.program.spec().n, share.columns);
    EXPECT_EQ(timed.program.spec().k, spec.k);
    EXPECT_EQ(timed.report, program_cycles(timed.program));
    slowest = std::max(slowest, timed.report.total);
  }
  EXPECT_TRUE(std::all_of(owners.begin(), owners.end(), [](int count) { return count == 1; }));
  for (size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(partition.programs[i].count, counts[i]);
  }
  EXPECT_EQ(partition.makespan, slowest);
  EXPECT_EQ(static_cast<int64_t>(partition.shares.size()), partition.cores_m * partition.cores_n);
  EXPECT_LE(partition.cores_m * partition.cores_n, machine.cores);
}

/// The slowest core of a grid, by asking every core.
int64_t makespan_of(const Machine& machine, const GemmSpec& spec, int64_t cores_m,
                    int64_t cores_n) {
  int64_t slowest = 0;
  const int64_t row_tiles = ceil_divide(spec.m, machine.core.rows);
  const int64_t column_tiles = ceil_divide(spec.n, machine.core.columns);
  const auto size = [](int64_t tiles, int64_t cores, int64_t core, int64_t tile, int64_t extent) {
    int64_t first = 0;
    for (int64_t before = 0; before < core; ++before) {
      first += tiles / cores + (before < tiles % cores ? 1 : 0);
    }
    const int64_t own = tiles / cores + (core < tiles % cores ? 1 : 0);
    return std::min(own * tile, extent - first * tile);
  };
  for (int64_t m = 0; m < cores_m; ++m) {
    for (int64_t n = 0; n < cores_n; ++n) {
      GemmSpec share = spec;
      share.m = size(row_tiles, cores_m, m, machine.core.rows, spec.m);
      share.n = size(column_tiles, cores_n, n, machine.core.columns, spec.n);
      slowest = std::max(slowest, program_cycles(choose_program(machine, share)).total);
    }
  }
  return slowest;
}

TEST(ChoosePartition, OneCoreHasOneShare) {
  const Machine machine = round_machine();
  const GemmSpec spec{100, 70, 300, kMxfp4};
  const Partition partition = choose_partition(machine, spec);
  ASSERT_EQ(partition.shares.size(), 1U);
  EXPECT_EQ(partition.shares[0].rows, 100);
  EXPECT_EQ(partition.shares[0].columns, 70);
  EXPECT_EQ(partition.makespan, program_cycles(choose_program(machine, spec)).total);
  expect_covers(partition, spec, machine);
}

TEST(ChoosePartition, NoMoreSharesThanTiles) {
  Machine machine = round_machine();
  machine.cores = 64;
  const GemmSpec spec{17, 33, 64, kMxfp4};
  const Partition partition = choose_partition(machine, spec);
  EXPECT_LE(partition.cores_m, 2);
  EXPECT_LE(partition.cores_n, 3);
  expect_covers(partition, spec, machine);
}

TEST(ChoosePartition, IsTheFastestGrid) {
  std::mt19937 random(40);
  for (int i = 0; i < 40; ++i) {
    RandomProgram one = random_program(random, {9, 6});
    if (one.spec.residual == ResidualPattern::kBlock32x64At50) {
      continue;
    }
    one.machine.cores = 1 + static_cast<int>(random() % 7);
    SCOPED_TRACE(one.text());
    const Partition partition = choose_partition(one.machine, one.spec);
    expect_covers(partition, one.spec, one.machine);
    const int64_t row_tiles = ceil_divide(one.spec.m, one.machine.core.rows);
    const int64_t column_tiles = ceil_divide(one.spec.n, one.machine.core.columns);
    int64_t fastest = std::numeric_limits<int64_t>::max();
    int64_t fastest_rows = 0;
    for (int64_t rows = 1; rows <= std::min<int64_t>(one.machine.cores, row_tiles); ++rows) {
      const int64_t columns = std::min(one.machine.cores / rows, column_tiles);
      const int64_t makespan = makespan_of(one.machine, one.spec, rows, columns);
      if (makespan < fastest) {
        fastest = makespan;
        fastest_rows = rows;
      }
    }
    EXPECT_EQ(partition.makespan, fastest);
    EXPECT_EQ(partition.cores_m, fastest_rows);
  }
}

TEST(ChoosePartition, SharesDoNotCutTheTilesOfAMask) {
  Machine machine = round_machine();
  machine.cores = 8;
  const GemmSpec spec{150,
                      16,
                      64,
                      kMxfp4,
                      OperandPath::kOnlineBf16,
                      OperandPath::kPacked,
                      ResidualPattern::kBlock32x64At50};
  const Partition partition = choose_partition(machine, spec);
  EXPECT_GT(partition.shares.size(), 1U);
  for (const CoreShare& share : partition.shares) {
    EXPECT_EQ(share.first_row % 32, 0);
  }
  expect_covers(partition, spec, machine);
}

TEST(ChoosePartition, Refusals) {
  Machine machine = round_machine();
  EXPECT_THROW(choose_partition(machine, {0, 1, 1, kMxfp4}), InputError);
  machine.cores = 0;
  EXPECT_THROW(choose_partition(machine, {1, 1, 1, kMxfp4}), InputError);
}

}  // namespace
}  // namespace nibblecore
